/** Small things that grow when they are read: PDFs and content codings, each as an attacker would make it. */
import { deflateSync, gzipSync } from 'node:zlib';
import { pdfOf } from '../../../reference/plain-pdf.ts';

/** A stream with the entries of its dictionary. */
const stream = (entries: string, bytes: Buffer | string) =>
  `<<${entries}/Length ${bytes.length}>>\nstream\n${bytes.toString('latin1')}\nendstream`;

const catalogue = '<</Type/Catalog/Pages 2 0 R>>';

/** A PDF of one page with these contents, and further objects from number 5. */
function onePage(contents: string, resources = '', more: readonly string[] = []): Buffer {
  const page = `<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<<${resources}>>>>`;
  return pdfOf([catalogue, '<</Type/Pages/Kids[3 0 R]/Count 1>>', page, contents, ...more]);
}

const form = (next: number, content: string) =>
  stream(`/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</F ${next} 0 R>>>>`, content);

const zeros = (bytes: number, fill = ' ') => deflateSync(Buffer.alloc(bytes, fill), { level: 9 });

/** PDFs by what is wrong with them; `bytes` is the size to which those that inflate grow. */
export const pdfBombs = {
  'content that inflates': (bytes: number) => onePage(stream('/Filter/FlateDecode', zeros(bytes))),
  'content that inflates twice': (bytes: number) =>
    onePage(stream('/Filter[/FlateDecode/FlateDecode]', deflateSync(zeros(bytes), { level: 9 }))),
  'operators without end': (bytes: number) => onePage(stream('/Filter/FlateDecode', zeros(bytes, 'q Q '))),
  'an object stream that inflates': (bytes: number) =>
    onePage(stream('/Type/ObjStm/N 1000000/First 10/Filter/FlateDecode', zeros(bytes))),
  'an image of 900 million pixels': (bytes: number) =>
    onePage(stream('', 'q 600 0 0 800 0 0 cm /I Do Q'), '/XObject<</I 5 0 R>>', [
      stream(
        '/Type/XObject/Subtype/Image/Width 30000/Height 30000/BitsPerComponent 8/ColorSpace/DeviceRGB/Filter/FlateDecode',
        zeros(bytes),
      ),
    ]),
  'a tree of pages that is a circle': () =>
    pdfOf([catalogue, '<</Type/Pages/Kids[2 0 R 2 0 R]/Count 100000>>']),
  'a billion pages': () =>
    pdfOf([
      catalogue,
      '<</Type/Pages/Kids[3 0 R]/Count 1000000000>>',
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]>>',
    ]),
  'fewer pages than none': () =>
    pdfOf([catalogue, '<</Type/Pages/Kids[3 0 R]/Count -5>>', '<</Type/Page/Parent 2 0 R>>']),
  'a table of objects that inflates': (bytes: number) => {
    const table = zeros(bytes, '\u0001');
    const entries = `/Type/XRef/W[1 4 2]/Index[0 100000000]/Size 100000000/Root 2 0 R/Filter/FlateDecode/Length ${table.length}`;
    const head = Buffer.from(`%PDF-1.7\n1 0 obj\n<<${entries}>>\nstream\n`);
    return Buffer.concat([head, table, Buffer.from('\nendstream\nendobj\nstartxref\n9\n%%EOF\n')]);
  },
  'a table of objects that leads to itself': () => {
    const whole = onePage(stream('', 'q Q')).toString('latin1');
    const start = /startxref\n(\d+)/.exec(whole)?.[1];
    return Buffer.from(whole.replace('/Root 1 0 R', `/Root 1 0 R/Prev ${start}`), 'latin1');
  },
  'a tree of pages that doubles': () =>
    pdfOf([
      catalogue,
      ...Array.from({ length: 28 }, (_, at) => `<</Type/Pages/Kids[${at + 3} 0 R ${at + 3} 0 R]/Count 9>>`),
      '<</Type/Page/Parent 2 0 R>>',
    ]),
  'a page that is there 100,000 times': () =>
    pdfOf([
      catalogue,
      `<</Type/Pages/Kids[${'3 0 R '.repeat(100_000)}]/Count 100000>>`,
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]>>',
    ]),
  'characters without end': () =>
    onePage(stream('', 'BT /F 9 Tf <0001> Tj ET'), '/Font<</F 5 0 R>>', [
      '<</Type/Font/Subtype/Type0/BaseFont/X/Encoding/Identity-H/DescendantFonts[6 0 R]/ToUnicode 7 0 R>>',
      '<</Type/Font/Subtype/CIDFontType2/BaseFont/X/W[0 2000000000 500]>>',
      stream('', '1 beginbfrange <00000000> <FFFFFFFF> <0041> endbfrange\n'.repeat(50)),
    ]),
  'lists within each other': () => onePage(stream('', '['.repeat(1_000_000))),
  'a form that draws itself': () =>
    onePage(stream('', '/F Do'), '/XObject<</F 5 0 R>>', [form(5, '/F Do /F Do')]),
  'forms that draw ten others each': () =>
    onePage(
      stream('', '/F Do '.repeat(10)),
      '/XObject<</F 5 0 R>>',
      Array.from({ length: 12 }, (_, at) => form(6 + at, at === 11 ? 'q Q' : '/F Do '.repeat(10))),
    ),
} satisfies Readonly<Record<string, (bytes: number) => Buffer>>;

/** A body that is compressed with gzip several times, with the value of its Content-Encoding. */
export function gzipBomb(bytes: number, times: number): { readonly body: Buffer; readonly coding: string } {
  let body: Buffer = Buffer.alloc(bytes);
  for (let count = 0; count < times; count += 1) body = gzipSync(body, { level: 9 });
  return { body, coding: Array.from({ length: times }, () => 'gzip').join(', ') };
}
