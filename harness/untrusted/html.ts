/** Reads HTML in one pass: the text that a person sees of a page or a mail, and where its links lead. */
import { decodeHTMLStrict, escapeUTF8 } from 'entities';
import { Tokenizer } from 'htmlparser2';
import { limits } from './limits.ts';

interface ReadHtml {
  /** Whether the text has any of the usual elements; otherwise it is plain text. */
  readonly isMarkup: boolean;
  /** The text without markup, comments, head, styles and scripts; elements that are not inline become a space. */
  readonly text: string;
  /** `href` of the anchors, in their order. */
  readonly links: readonly string[];
}

const usual = new Set(
  'html head body div p a b br span table td strong em h1 h2 h3 h4 h5 h6 img pre ul li'.split(' '),
);
const inline = new Set('b i em strong span a font u small wbr'.split(' '));
const inHead = new Set('title style script meta link base noscript template'.split(' '));
const unread = new Set(['style', 'script', 'title']);
/** Characters that only say where a word may be broken, or are invisible. */
const unseen = /[\u00ad\u200c\u200d]/g;

/** Reads a text up to `limits.textCharacters` by htmlparser2's tokenizer: its parser's stack takes quadratic time. */
export function readHtml(html: string): ReadHtml {
  const source = html.slice(0, limits.textCharacters.most);
  // A tokenizer takes far longer to be made than a short text to be read, and a mailbox may hold 600,000 short ones.
  if (!/[<&]/.test(source)) return { isMarkup: false, text: source.replaceAll(unseen, ''), links: [] };
  const shown: string[] = [];
  const links: string[] = [];
  let isMarkup = false;
  let head = false;
  let tag = '';
  let opening = '';
  let attribute = '';
  let value = '';
  const slice = (start: number, end: number) => source.slice(start, end);
  const show = (text: string) => {
    if (!head && !unread.has(opening)) shown.push(text);
  };
  const apart = () => {
    if (!inline.has(tag)) shown.push(' ');
  };
  const tokenizer = new Tokenizer(
    { decodeEntities: true },
    {
      onopentagname: (start, end) => {
        tag = slice(start, end).toLowerCase();
      },
      onopentagend: () => {
        isMarkup ||= usual.has(tag);
        head = tag === 'head' || (head && inHead.has(tag));
        opening = tag;
        apart();
      },
      onselfclosingtag: () => apart(),
      onclosetag: (start, end) => {
        tag = slice(start, end).toLowerCase();
        isMarkup ||= usual.has(tag);
        if (tag === 'head') head = false;
        opening = '';
        apart();
      },
      onattribname: (start, end) => {
        attribute = slice(start, end).toLowerCase();
        value = '';
      },
      onattribdata: (start, end) => {
        if (attribute === 'href') value += slice(start, end);
      },
      onattribentity: (codepoint) => {
        if (attribute === 'href') value += String.fromCodePoint(codepoint);
      },
      onattribend: () => {
        if (attribute === 'href' && tag === 'a') links.push(value.trim());
      },
      ontext: (start, end) => show(slice(start, end)),
      ontextentity: (codepoint) => show(String.fromCodePoint(codepoint)),
      oncomment: () => void shown.push(' '),
      ondeclaration: (start, end) => {
        isMarkup ||= /^!?doctype/i.test(slice(start, Math.min(end, start + 10)));
      },
      oncdata: (start, end) => show(slice(start, end)),
      onprocessinginstruction: () => undefined,
      onend: () => undefined,
    },
  );
  tokenizer.write(source);
  tokenizer.end();
  return { isMarkup, text: shown.join('').replaceAll(unseen, ''), links };
}

/** What a person reads of a text that may be HTML; plain texts only lose their entities. */
export function shownText(text: string): string {
  const html = readHtml(text);
  return html.isMarkup ? html.text : decodeEntities(text);
}

/** Character references of HTML as characters; unknown names stay as they are. */
export function decodeEntities(text: string): string {
  return decodeHTMLStrict(text.slice(0, limits.textCharacters.most)).replaceAll(unseen, '');
}

/** A text with its special characters escaped for HTML and XML. */
export const asMarkup = (text: string): string => escapeUTF8(text);

/** The text with white space as single spaces: plain e-mails may wrap a line at any place. */
export const fold = (text: string): string => text.replaceAll(/[\s\u00a0\u200b]+/g, ' ').trim();
