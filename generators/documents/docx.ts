/** A small DOCX: the parts that a word processor needs, and nothing else. */
import {
  type DocumentSource,
  documentOf,
  type GeneratedDocument,
  markerOf,
  mediaType,
  sentences,
} from './document.ts';
import { contentTypes, coreProperties, officePackage, openXml, relationships } from './package.ts';

/** One page of text, the same bytes for the same source. */
export function docx(source: DocumentSource): GeneratedDocument {
  return documentOf(source, 'docx', wordPackage(markerOf(source)));
}

/** The bytes of a DOCX with `marker` in text and metadata; sample.doc is made from it, as README.md says. */
function wordPackage(marker: string): Uint8Array<ArrayBuffer> {
  const paragraphs = sentences(marker)
    .map((text) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`)
    .join('');
  // A4 with margins of 2 cm, in twentieths of a point.
  const page =
    '<w:sectPr><w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1134" w:right="1134" w:bottom="1134" ' +
    'w:left="1134" w:header="709" w:footer="709" w:gutter="0"/></w:sectPr>';
  return officePackage({
    '[Content_Types].xml': contentTypes('/word/document.xml', `${mediaType.docx}.main+xml`),
    '_rels/.rels': relationships('word/document.xml'),
    'docProps/core.xml': coreProperties(marker),
    // It may be left out if a part refers to no other one, but then some readers do not open the file.
    'word/_rels/document.xml.rels': `<Relationships xmlns="${openXml}/package/2006/relationships"/>`,
    'word/document.xml':
      `<w:document xmlns:w="${openXml}/wordprocessingml/2006/main">` +
      `<w:body>${paragraphs}${page}</w:body></w:document>`,
  });
}
