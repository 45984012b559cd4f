/** Office Open XML packages (ECMA-376): ZIP archives with the same bytes on every machine. */
import { strToU8, type Zippable, zipSync } from 'fflate';

// ZIP has local times without a zone, so the date is made of local fields: it gives the same bytes in every zone.
const mtime = new Date(2024, 0, 1);

/** An archive of the parts in their order; `[Content_Types].xml` has to be the first. */
export function officePackage(parts: Readonly<Record<string, string>>): Uint8Array<ArrayBuffer> {
  const files: Zippable = {};
  for (const [name, text] of Object.entries(parts)) files[name] = strToU8(xmlHead + text);
  return new Uint8Array(zipSync(files, { level: 6, mtime }));
}

const xmlHead = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/** Start of the namespaces that all parts of a package share. */
export const openXml = 'http://schemas.openxmlformats.org';

/** `[Content_Types].xml` for a package of one main part. */
export function contentTypes(mainPart: string, type: string, more: readonly [string, string][] = []): string {
  const overrides = [
    [mainPart, type],
    ['/docProps/core.xml', 'application/vnd.openxmlformats-package.core-properties+xml'],
    ...more,
  ].map(([part, contentType]) => `<Override PartName="${part}" ContentType="${contentType}"/>`);
  return (
    `<Types xmlns="${openXml}/package/2006/content-types">` +
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
    `<Default Extension="xml" ContentType="application/xml"/>${overrides.join('')}</Types>`
  );
}

/** `_rels/.rels`: points to the main part and to the metadata. */
export function relationships(mainPart: string): string {
  return (
    `<Relationships xmlns="${openXml}/package/2006/relationships">` +
    `<Relationship Id="rId1" Type="${openXml}/officeDocument/2006/relationships/officeDocument" Target="${mainPart}"/>` +
    `<Relationship Id="rId2" Type="${openXml}/package/2006/relationships/metadata/core-properties" Target="docProps/core.xml"/>` +
    '</Relationships>'
  );
}

/** `docProps/core.xml`: the marker in title and keywords, and fixed dates. */
export function coreProperties(marker: string): string {
  const time = (name: string) =>
    `<dcterms:${name} xsi:type="dcterms:W3CDTF">2024-01-01T00:00:00Z</dcterms:${name}>`;
  return (
    `<cp:coreProperties xmlns:cp="${openXml}/package/2006/metadata/core-properties"` +
    ' xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/"' +
    ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">' +
    `<dc:title>Agreement ${marker}</dc:title><cp:keywords>${marker}</cp:keywords>` +
    `${time('created')}${time('modified')}</cp:coreProperties>`
  );
}
