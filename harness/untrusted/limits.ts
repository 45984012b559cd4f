/** What is taken from strangers at most: every bound of every border, with its reason. SECURITY.md shows this table. */
import { headerFieldsMost } from '../../record/exchange.ts';
import { jsonLimits } from '../../record/json.ts';

const MiB = 1024 * 1024;

/** A bound. What goes beyond is told as unreadable or cut off where `beyond` says so; nothing is thrown. */
interface Limit {
  readonly most: number;
  readonly unit: 'bytes' | 'characters' | 'ms' | 'pixels' | '';
  readonly of: string;
  readonly why: string;
}

const limit = (most: number, unit: Limit['unit'], of: string, why: string): Limit => ({
  most,
  unit,
  of,
  why,
});

export const limits = {
  answerBytes: limit(
    32 * MiB,
    'bytes',
    'the body of an answer, before and after its content coding (`maxResponseBytes` in the profile)',
    'a completed document of 20 MB in base64',
  ),
  errorBytes: limit(
    1 * MiB,
    'bytes',
    'the body of an answer that is no success; what follows is cut off',
    'a page with the stack and all settings of a service has a fifth',
  ),
  askedMs: limit(
    30 * 60_000,
    'ms',
    'pauses of a run that the target asks for by Retry-After, all together; no single one may be longer than 20 seconds',
    'with 30 calls a minute a run of 650 waits 20 minutes',
  ),
  runMs: limit(
    4 * 60 * 60_000,
    'ms',
    'a run with all its calls, beside what `--time` says; what is left then could not run',
    'a target that takes 8 seconds for each call, one at a time, takes an hour and a half',
  ),
  keptBytes: limit(
    512 * MiB,
    'bytes',
    'large bodies that a run keeps in files; of the others size and hash are noted',
    'without secrets and people in a few seconds; a hundred documents of 5 MB',
  ),
  recordCharacters: limit(
    16 * MiB,
    'characters',
    'answers and callbacks in run.json, without large bodies; of the others status, size and hash are noted',
    'a file of 64 MB is read again; a run of 700 calls has 2 MB',
  ),
  headerFields: limit(
    headerFieldsMost,
    '',
    'header fields of a message; those that follow are not read',
    'behind several gateways there are some fifty',
  ),
  contentCodings: limit(
    2,
    '',
    'content codings of one body, one over the other',
    'each may make a thousand times as much of it; nobody needs more than one',
  ),
  codedBytes: limit(
    64 * MiB,
    'bytes',
    'the body of a callback after its content coding',
    'as much as may come without a coding',
  ),
  hurriedBytes: limit(
    1 * MiB,
    'bytes',
    'the body of a callback that is still read when the run was told to end; no PDF is opened then',
    'few are larger but for the documents in them',
  ),
  jsonCharacters: limit(
    jsonLimits.characters,
    'characters',
    'a JSON text',
    'a body of the largest size that is taken has no more',
  ),
  jsonDepth: limit(
    jsonLimits.depth,
    '',
    'objects and lists within each other in JSON',
    'real payloads stay below 20',
  ),
  jsonNodes: limit(
    jsonLimits.nodes,
    '',
    'objects, lists and keys of a JSON text',
    'an event with a thousand signatories has 20,000',
  ),
  jsonElements: limit(
    jsonLimits.elements,
    '',
    'values in the lists of a JSON text',
    'a document of 4 MB as a list of numbers',
  ),
  xmlDepth: limit(64, '', 'elements within each other in XML', 'as for JSON'),
  formFields: limit(10_000, '', 'fields of a form', 'an event with a thousand signatories has fewer'),
  fieldNameCharacters: limit(
    1_000,
    'characters',
    'the name of a field that is taken apart; a longer one is one key',
    'twenty levels of names have fewer',
  ),
  fieldDepth: limit(32, '', 'levels in the name of a field (`a[0][b]`)', 'twice what is met'),
  parts: limit(1_000, '', 'parts of a multipart body', 'an event has some ten'),
  partHeaderBytes: limit(16 * 1024, 'bytes', 'the header of a part', 'as for the header of a message'),
  boundaryCharacters: limit(200, 'characters', 'a boundary', 'RFC 2046 allows 70'),
  leaves: limit(
    20_000,
    '',
    'values of a payload that are looked at',
    'more say nothing that the first do not',
  ),
  leafDepth: limit(64, '', 'levels of a payload that are looked at', 'as deep as JSON is read'),
  events: limit(200, '', 'events of one callback', 'nearly all are sent alone'),
  sharedLeaves: limit(
    1_000,
    '',
    'values beside a list of events that count for each of them',
    'a hundred signatories have six each',
  ),
  attachments: limit(100, '', 'files of a payload', 'a request has some ten documents'),
  messages: limit(30, '', 'messages of a mailbox that are read, the newest', 'a person gets some five'),
  mailCharacters: limit(
    16 * MiB,
    'characters',
    'a mail as it was sent (MIME); what follows is cut off',
    'a document of 10 MB as its attachment',
  ),
  mailLines: limit(
    100_000,
    '',
    'lines of a mail as it was sent; what follows is cut off',
    'an attachment of 6 MB has as many; each costs the parser some 20 microseconds',
  ),
  mailHeaderBytes: limit(256 * 1024, 'bytes', 'all headers of a mail', 'a list of 5,000 recipients'),
  mailDepth: limit(16, '', 'parts within each other in a mail', 'a forwarded mail with attachments has five'),
  tokenCharacters: limit(
    64 * 1024,
    'characters',
    'a document token; a longer one is not read, nor sent back',
    'one that holds the whole record of a file, encrypted, has some thousand',
  ),
  accessTokenCharacters: limit(
    64 * 1024,
    'characters',
    'an access token and a refresh token; a longer one is none',
    'few servers take a header of 16,000',
  ),
  secretCharacters: limit(
    16 * 1024,
    'characters',
    'a secret that is looked for as a whole; of a longer one its beginning is, and what follows that in a text is cut off',
    'few access tokens have more than 4,000',
  ),
  secretsCharacters: limit(
    2 * MiB,
    'characters',
    'all secrets that are looked for as a whole; of those that follow 64 characters are, and what is behind these is cut off',
    'a new access token of 1,000 for each of 700 calls',
  ),
  textCharacters: limit(
    1 * MiB,
    'characters',
    'a text or page of HTML that a person reads; a longer one is cut off',
    'a long newsletter has 100,000',
  ),
  patternMs: limit(
    2_000,
    'ms',
    'looking for a pattern of the profile in one text',
    'a long newsletter takes a millisecond',
  ),
  pageDialogs: limit(20, '', 'questions of a signing page (alert, confirm, prompt)', 'one or two are met'),
  pageWindows: limit(20, '', 'windows that a signing page opens; each is closed at once', 'two are met'),
  pageNavigations: limit(50, '', 'addresses that a signing page goes to', 'a login and five steps have 15'),
  pageRequests: limit(2_000, '', 'requests of a signing page', 'one that loads each module alone has 500'),
  pageBytes: limit(
    128 * MiB,
    'bytes',
    'what a signing page loads, after its content coding',
    'a viewer of 10 MB and ten documents',
  ),
  pageCharacters: limit(
    8 * MiB,
    'characters',
    'a signing page with all its scripts; the text of a larger one is not read',
    'data for scripts stands in pages too',
  ),
  pageReason: limit(200, 'characters', 'what a signing page says on a refusal', 'a sentence or two'),
  pdfBytes: limit(64 * MiB, 'bytes', 'a PDF', 'as much as a callback may bring'),
  pdfPages: limit(500, '', 'pages of a PDF that are read', 'a contract has some ten'),
  pdfDocuments: limit(20, '', 'PDFs in one body whose pages are counted', 'a request has some ten documents'),
  pdfMs: limit(20_000, 'ms', 'reading one PDF', 'five hundred pages take five seconds'),
  pdfOpenMs: limit(5_000, 'ms', 'opening a PDF to count its pages', 'a PDF that takes longer is made to'),
  pdfLostMs: limit(
    300_000,
    'ms',
    'reading PDFs that were given up, all together; no more are opened then',
    'fifteen that take as long as they may',
  ),
  pdfMemoryBytes: limit(
    1024 * MiB,
    'bytes',
    'memory that reading PDFs takes',
    'scanned pages at 600 dpi take a fifth',
  ),
  pdfImagePixels: limit(64 * MiB, 'pixels', 'an image on a page', 'a scanned A3 page at 600 dpi'),
  pdfOperators: limit(200_000, '', 'drawing operators of a page that are told', 'a dense drawing has 50,000'),
  pdfTextItems: limit(
    50_000,
    '',
    'pieces of text of a page that are told',
    'a page of letters alone has 5,000',
  ),
  pdfBoxes: limit(2_000, '', 'drawn boxes of a page that are noted', 'stamps are few'),
} as const satisfies Readonly<Record<string, Limit>>;
