/** Reads XML into a tree: elements by their local names, attributes with `@` before them, text as `#text`. */
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { limits } from '../limits.ts';

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  textNodeName: '#text',
  removeNSPrefix: true,
  ignoreDeclaration: true,
  ignorePiTags: true,
  // An id that consists of digits stays a text.
  parseTagValue: false,
  parseAttributeValue: false,
  // Numeric references are read with this one alone.
  htmlEntities: true,
  maxNestedTags: limits.xmlDepth.most,
});

/** The tree of a document. @throws Error that says what is wrong with it */
export function treeOfXml(text: string): unknown {
  const { most, of } = limits.xmlCharacters;
  if (text.length > most) throw new Error(`it is ${of} of more than ${most} characters`);
  // Definitions of entities serve only attacks on the parser here.
  if (/<!DOCTYPE/i.test(text)) throw new Error('it has a document type declaration, which is not read');
  const marks = /<|=\s*["']/g;
  for (let count = 0; marks.test(text); count += 1)
    if (count >= limits.xmlMarks.most)
      throw new Error(`it has more than ${limits.xmlMarks.most} ${limits.xmlMarks.of}`);
  const valid = XMLValidator.validate(text);
  if (valid !== true) throw new Error(`line ${valid.err.line}: ${valid.err.msg}`);
  return parser.parse(text) as unknown;
}
