/** Limits for all input from strangers: every bound, with its reason. SECURITY.md shows this table. */
import { headerFieldsMost } from '../../record/exchange.ts';
import { flowEventsMost } from '../../record/facts.ts';
import { jsonLimits } from '../../record/json.ts';

const MiB = 1024 * 1024;

/** A bound. Input beyond it counts as unreadable, or is cut off where `beyond` says so; nothing is thrown. */
interface Limit {
  readonly most: number;
  readonly unit: 'bytes' | 'characters' | 'ms' | 'pixels' | '';
  readonly of: string;
  readonly why: string;
}

const measured = (unit: Limit['unit']) => (most: number, of: string, why: string) => ({
  most,
  unit,
  of,
  why,
});
const bytes = measured('bytes');
const characters = measured('characters');
const ms = measured('ms');
const pixels = measured('pixels');
const count = measured('');

export const limits = {
  answerBytes: bytes(
    32 * MiB,
    'the body of an answer, before and after its content coding (`maxResponseBytes` in the profile)',
    'a completed document of 20 MB in base64',
  ),
  errorBytes: bytes(
    1 * MiB,
    'the body of an answer that is no success; what follows is cut off',
    'a page with the stack and all settings of a service has a fifth',
  ),
  askedMs: ms(
    30 * 60_000,
    'pauses of a run that the target asks for by Retry-After, all together; no single one may be longer than 20 seconds',
    'with 30 calls a minute a run of 650 waits 20 minutes',
  ),
  runMs: ms(
    4 * 60 * 60_000,
    'a run with all its calls, beside what `--time` says; what is left then could not run',
    'a target that takes 8 seconds for each call, one at a time, takes an hour and a half',
  ),
  removingMs: ms(
    30_000,
    'an interrupted run goes on to remove what it created; the rest is left to `cleanup`',
    'sixty removals of which each takes some seconds, four at a time',
  ),
  keptBytes: bytes(
    64 * MiB,
    'large bodies that a run keeps in files; of the others size and hash are noted',
    'looked through for secrets twice, in a few seconds each; a usual run keeps 300 kB, one that explores 12 MB',
  ),
  recordCharacters: characters(
    16 * MiB,
    'answers and callbacks in run.json, without large bodies; of the others status, size and hash are noted',
    'a file of 64 MB is read again; a run of 700 calls has 2 MB',
  ),
  headerFields: count(
    headerFieldsMost,
    'header fields of a message; those that follow are not read',
    'behind several gateways there are some fifty',
  ),
  contentCodings: count(
    2,
    'content codings of one body, one over the other',
    'each may make a thousand times as much of it; nobody needs more than one',
  ),
  codedBytes: bytes(
    64 * MiB,
    'the body of a callback after its content coding',
    'as much as may come without a coding',
  ),
  recordedBytes: bytes(
    128 * MiB,
    'answers in a recording (`--record`), all together, and likewise callbacks, both after their content coding; of flows with more, a replay says that not all was seen',
    'a hundred with a document of 1 MB in base64',
  ),
  recordedIdCharacters: characters(
    1 * MiB,
    'ids of requests and people in a recording that is replayed, all together',
    'of a run of 700 calls they have 10,000; one pattern looks for all of them',
  ),
  recordedPeople: count(
    400,
    'people and numbers in the profile of a recording that is replayed',
    'each is looked for in every text; a profile names some ten',
  ),
  hurriedBytes: bytes(
    1 * MiB,
    'the body of a callback that is still read when the run was told to end; no PDF is opened then',
    'few are larger but for the documents in them',
  ),
  hurriedMs: ms(
    5_000,
    'taking apart and looking through all callbacks when the run was told to end; of those that follow none is',
    'a thousand events without documents',
  ),
  largeBodiesMs: ms(
    5 * 60_000,
    'undoing the content coding of callbacks that are not small, taking them apart and looking through them, all together; of those that follow none is',
    'one with a document of 20 MB in base64 takes a tenth of a second',
  ),
  smallBytes: bytes(
    4 * 1024,
    'the body of a callback that is small: it is read, whatever others took',
    'an event without documents has one or two thousand',
  ),
  jsonCharacters: characters(
    jsonLimits.characters,
    'a JSON text',
    'a body of the largest size that is taken has no more',
  ),
  jsonDepth: count(
    jsonLimits.depth,
    'objects and lists within each other in JSON',
    'real payloads stay below 20',
  ),
  jsonNodes: count(
    jsonLimits.nodes,
    'objects, lists and keys of a JSON text',
    'the run.json of a run of 700 calls has 90,000',
  ),
  callbackNodes: count(
    50_000,
    'objects, lists and keys of a callback in JSON, which is taken apart several times',
    'an event with a thousand signatories has 20,000',
  ),
  jsonElements: count(
    jsonLimits.elements,
    'values in the lists of a JSON text',
    'a document of 4 MB as a list of numbers',
  ),
  xmlCharacters: characters(
    16 * MiB,
    'an XML text',
    'a document of 12 MB in base64; each takes 32 bytes of memory in the parser',
  ),
  xmlDepth: count(64, 'elements within each other in XML', 'as for JSON'),
  xmlMarks: count(
    200_000,
    'beginnings, ends and attributes of elements in XML',
    'each takes as long as five keys of JSON; an event with a thousand signatories has 40,000',
  ),
  formFields: count(10_000, 'fields of a form', 'an event with a thousand signatories has fewer'),
  fieldNameCharacters: characters(
    1_000,
    'the name of a field; what stands under a longer one is not looked at, and none is taken apart',
    'twenty levels of names have fewer',
  ),
  fieldDepth: count(32, 'levels in the name of a field (`a[0][b]`)', 'twice what is met'),
  parts: count(1_000, 'parts of a multipart body', 'an event has some ten'),
  partHeaderBytes: bytes(16 * 1024, 'the header of a part', 'as for the header of a message'),
  boundaryCharacters: characters(200, 'a boundary', 'RFC 2046 allows 70'),
  leaves: count(20_000, 'values of a payload that are looked at', 'more say nothing that the first do not'),
  leafDepth: count(64, 'levels of a payload that are looked at', 'as deep as JSON is read'),
  events: count(200, 'events of one callback', 'nearly all are sent alone'),
  flowEvents: count(
    flowEventsMost,
    'events of one flow; callbacks that tell of more are not read',
    'a flow with five people has some ten, each of which may be repeated',
  ),
  sharedLeaves: count(
    1_000,
    'values beside a list of events that count for each of them; of more than 20 events fewer',
    'a hundred signatories have six each',
  ),
  serverConnections: count(
    500,
    'connections to each other server of the suite',
    'others on this machine could use up what the run may have open',
  ),
  attachments: count(100, 'files of a payload', 'a request has some ten documents'),
  linkedBytes: bytes(
    1024 * MiB,
    'files behind links of callbacks and messages, each counted as 256 KiB at least; no further link is followed',
    'the documents of a thousand requests, by a callback and an e-mail each',
  ),
  fileNameCharacters: characters(
    400,
    'the name of a file that a callback brings; what follows is cut off',
    'file systems take 255 bytes',
  ),
  messages: count(30, 'messages of a mailbox that are read, the newest', 'a person gets some five'),
  mailboxCharacters: characters(
    64 * MiB,
    'the newest messages of a mailbox together; those before them are not read, and as much is kept of fetched ones',
    'thirty with a document of 1 MB each in base64',
  ),
  listed: count(
    100_000,
    "messages that a mailbox lists; a longer list is not read, and of everybody's that listed more in time it is not known what it forgets",
    'a run of 700 calls brings some thousand',
  ),
  mailCharacters: characters(
    16 * MiB,
    'a mail as it was sent (MIME); what follows is cut off',
    'a document of 10 MB as its attachment',
  ),
  mailLines: count(
    100_000,
    'lines of a mail as it was sent; what follows is cut off',
    'an attachment of 6 MB has as many; each costs the parser some 20 microseconds',
  ),
  mailHeaderBytes: bytes(256 * 1024, 'all headers of a mail', 'a list of 5,000 recipients'),
  mailsMs: ms(
    5 * 60_000,
    'opening mails as they were sent, all together; of those that follow the text stands as it came',
    'a mail of 1 MB takes a third of a second',
  ),
  mailDepth: count(16, 'parts within each other in a mail', 'a forwarded mail with attachments has five'),
  idCharacters: characters(
    4_096,
    'the id of a request or a signatory; a longer one is none',
    'it stands in paths, of which few servers take 8,000',
  ),
  tokenCharacters: characters(
    64 * 1024,
    'a document token; a longer one is not read, nor sent back',
    'one that holds the whole record of a file, encrypted, has some thousand',
  ),
  accessTokenCharacters: characters(
    64 * 1024,
    'an access token and a refresh token; a longer one is none',
    'few servers take a header of 16,000',
  ),
  secretCharacters: characters(
    16 * 1024,
    'a secret that is looked for as a whole; of a longer one its beginning is, and what follows that in a text is cut off',
    'few access tokens have more than 4,000',
  ),
  secretsCharacters: characters(
    2 * MiB,
    'all secrets that are looked for as a whole; of those that follow 64 characters are, and what is behind these is cut off',
    'a new access token of 1,000 for each of 700 calls',
  ),
  oneTimeSecrets: count(
    5_000,
    'codes and secret parts of links in messages that are looked for; those that follow are not',
    'a run of 700 calls has some hundred; each takes a millisecond and 15 kB',
  ),
  linkCharacters: characters(
    16 * 1024,
    'a link in a message; a longer one is none',
    'it stands in calls, reports and scripts, and few servers take 8,000',
  ),
  textCharacters: characters(
    1 * MiB,
    'a text or page of HTML that a person reads; a longer one is cut off',
    'a long newsletter has 100,000',
  ),
  patternMs: ms(
    2_000,
    'looking for a pattern of the profile in one text; after each that took longer half of it, and 100 ms at least',
    'a long newsletter takes a millisecond',
  ),
  slowPatternMs: ms(
    10_000,
    'looking for a pattern that took longer than that once, in all texts together; it is not looked for any more then',
    'the newsletters of fifty people, of which it takes as long as it may',
  ),
  pageDialogs: count(20, 'questions of a signing page (alert, confirm, prompt)', 'one or two are met'),
  pageWindows: count(20, 'windows that a signing page opens; each is closed at once', 'two are met'),
  pageNavigations: count(50, 'addresses that a signing page goes to', 'a login and five steps have 15'),
  pageFrames: count(
    100,
    'frames of a signing page; each may be a process of the browser',
    'a captcha has three',
  ),
  pageRequests: count(2_000, 'requests of a signing page', 'one that loads each module alone has 500'),
  pageBytes: bytes(
    128 * MiB,
    'what a signing page loads, after its content coding; with its workers and frames of other origins, as it comes over the network',
    'a viewer of 10 MB and ten documents',
  ),
  pageToldBytes: bytes(
    128 * MiB,
    'what a browser tells of its pages (console, errors, their text) until one more is opened; then it is ended',
    'the text of the largest page, each sign as a code, has 50 MB',
  ),
  pageCharacters: characters(
    8 * MiB,
    'a signing page with all its scripts; the text of a larger one is not read',
    'data for scripts stands in pages too',
  ),
  pageReason: characters(200, 'what a signing page says on a refusal', 'a sentence or two'),
  pdfBytes: bytes(64 * MiB, 'a PDF', 'as much as a callback may bring'),
  pdfPages: count(500, 'pages of a PDF that are read', 'a contract has some ten'),
  pdfDocuments: count(20, 'PDFs in one body whose pages are counted', 'a request has some ten documents'),
  pdfMs: ms(20_000, 'reading one PDF', 'five hundred pages take five seconds'),
  pdfOpenMs: ms(5_000, 'opening a PDF to count its pages', 'a PDF that takes longer is made to'),
  pdfsMs: ms(
    10 * 60_000,
    'reading PDFs, all together; of those that follow none is opened',
    'a usual document takes 50 ms; thirty that take as long as they may',
  ),
  pdfMemoryBytes: bytes(
    1024 * MiB,
    'memory that reading PDFs takes',
    'scanned pages at 600 dpi take a fifth',
  ),
  pdfImagePixels: pixels(64 * MiB, 'an image on a page', 'a scanned A3 page at 600 dpi'),
  pdfOperators: count(200_000, 'drawing operators of a page that are told', 'a dense drawing has 50,000'),
  pdfTextItems: count(50_000, 'pieces of text of a page that are told', 'a page of letters alone has 5,000'),
  pdfBoxes: count(2_000, 'drawn boxes of a page that are noted', 'stamps are few'),
} as const satisfies Readonly<Record<string, Limit>>;
