/** The places where foreign texts come in (borders), each with a function that reads a text as a run does. */
import { decode } from '../../../harness/callbacks/decode.ts';
import { ownWords } from '../../../harness/judging/excuses.ts';
import { findCode } from '../../../harness/people/messages/find-code.ts';
import { drawnIn, findLink, tokenOf } from '../../../harness/people/messages/find-link.ts';
import { Mailbox } from '../../../harness/people/messages/mailbox.ts';
import { isFor, readMessage } from '../../../harness/people/messages/message.ts';
import { deniesSuccess } from '../../../harness/profile/template.ts';
import { PeopleRedactor } from '../../../harness/recording/people-redaction.ts';
import { Redactor } from '../../../harness/recording/redact.ts';
import { grantOf, TokenError } from '../../../harness/target/access/token-request.ts';
import { idIn, idsOf } from '../../../harness/target/answers/answer-record.ts';
import { findDocumentToken, possiblePlaces } from '../../../harness/target/answers/document-token.ts';
import { uncoded } from '../../../harness/untrusted/content-coding.ts';
import { shownText } from '../../../harness/untrusted/html.ts';
import { openedMails } from '../../../harness/untrusted/mail.ts';
import { pdfsIn } from '../../../harness/untrusted/pdf/documents-in.ts';
import { scopeOf } from '../../../harness/untrusted/place.ts';
import { placesOfText } from '../../../harness/untrusted/places-of-text.ts';
import { parameterOf, textOf } from '../../../harness/untrusted/text.ts';
import { validateResponse } from '../../../openapi/contract.ts';
import { fieldsOf, schemaOfFields } from '../../../openapi/fields.ts';
import { ConfigurationError } from '../../../record/errors.ts';
import { parseJson } from '../../../record/json.ts';
import { yamlIn, yamlLimits } from '../../../record/own-files.ts';
import { baselineOf } from '../../../reports/accepted/baseline.ts';
import { driftBetween } from '../../../reports/accepted/drift.ts';
import { merge } from '../../../reports/assembling/merge.ts';
import { compareRuns } from '../../../reports/comparison/compare-runs.ts';
import { jsonLines } from '../../../reports/page/message.ts';
import type { Run } from '../../../reports/run/run.ts';
import { exchange, record, run } from '../../suite/reports-sample.ts';
import { personWith } from '../../suite/signing-people.ts';

export interface Border {
  /** Reads a text at this border; must never throw. */
  readonly read: (text: string) => unknown;
  /** Pieces of its language: repeated, they make the worst texts that a sender can think of; mixed, they make the fuzz. */
  readonly pieces: readonly string[];
  /** Longest text that is read, in characters; absent: more than a bench takes. */
  readonly most?: number;
}

const keys = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];

/** The words of some lines, and further pieces, with spaces or characters that a line cannot show. */
function pieces(words: string, ...further: readonly string[]): readonly string[] {
  return [...words.trim().split(/[ \n]+/), ...further];
}

const json = pieces(
  String.raw`[ { ] } , : " \ \" "a": {"a": [[], {}, 1, "x", null 1e999
    "requestId":"1", "documentToken":"t-1", {"event":1}, {"type":"x","data": "documents":[`,
  ...[' ', `{"name":"a.pdf","content":"${'JVBERi0'.padEnd(210, 'A')}"},`, '"\ud800"', '\ufeff'],
  ...['"a/b~0*": string (uuid)', ...keys.map((key) => `"${key}":{"${key}":1},`)],
);
const markup = pieces(
  `< > & &amp &#x ; " ' = / ! - a <!-- --> </a> <p> <div> <b><i> <script> </script <title> <head> </head>
    <![CDATA[ <?x <svg><math> <textarea> https:// http://a/? . ) _* ( 123456 1`,
  ...[' ', '\n', '\r\n', '\t', '<a href="', '<a href=x ', '<style ', '<!DOCTYPE '],
  ...['code ', 'is your ', 'one-time '],
);
const mail = [
  ...markup,
  ...pieces('=C3 =?utf-8?q? ?= @ a@b --b-- ;a*0=b'),
  ...['=\r\n', '=?utf-8?b?YQ==?= ', 'a@example.com, ', '> ', '-- \r\n', ' \r\n', '\r\n\r\n', '--b\r\n'],
  ...['MIME-Version: 1.0\r\n', 'Content-Type: multipart/mixed; boundary=b\r\n\r\n', 'To: ', 'Subject: '],
  ...['Content-Type: message/rfc822\r\n\r\n', 'Content-Type: text/plain; format=flowed\r\n\r\n'],
  ...['Content-Transfer-Encoding: base64\r\n', '+1 (202) ', 'attachment '],
];
const xml = pieces(
  '<a> </a> <a/> < > <!-- --> <![CDATA[ ]]> &lt; &#65; & " ?> = x <event>1</event> <requestId>1</requestId>',
  ...[' ', '\n', ' a="b"', '<a ', '<?xml ', '<!DOCTYPE a>'],
  ...keys.flatMap((key) => [`<${key}>`, ` ${key}="1"`]),
);
const form = pieces(
  `a = & [ ] [] [0] . % %5B + &a &a=1 &a[]=1 &a[b]=1 &a.b=1 [b] &event=1 &requestId=1 &x={"a":`,
  ...keys.map((key) => `&${key}[${key}]=1`),
);
const parts = pieces(
  String.raw`--b -- x '' {"event":1} %PDF-1.4 name=" \"`,
  ...[
    '\r\n',
    '\r\n--b',
    '\r\n\r\n',
    'a: b\r\n',
    ' ',
    '\t',
    '\r\n--b\r\n\r\n',
    '\r\n--b\r\nx',
    '\r\n--b--\r\n',
  ],
  ...['Content-Disposition: form-data; name="a"', '; filename*=UTF-8', 'Content-Type: application/json'],
  'Content-Transfer-Encoding: base64',
  ...keys.map((key) => `\r\n--b\r\nContent-Disposition: form-data; name="${key}[${key}]"\r\n\r\n1`),
);
const header = pieces(
  String.raw`; = " \" , charset= ' % %41 name=" a - text/html gzip`,
  ...[' ', '; charset="', "; name*=a'", 'Bearer ', 'realm="a", '],
);
const yaml = pieces(
  String.raw`" ' { } [ ] , "\x`,
  ...['a: 1\n', '- a\n', '- ', '? ', ': ', ' ', '\n', '\t', '#\n', 'a: 1, ', '&a ', '*a ', '- &a x\n- *a\n'],
  ...['! ', '!!x ', '|\n', '>-\n', '---\n', '...\n', '%YAML 1.2\n', '<<: {a: 1}\n', 'a: b: c\n', '  a:\n'],
  ...['\r', '\ufeff', ...keys.map((key) => `${key}: {${key}: 1}\n`)],
);
const recorded = pieces(
  `af09 @ %40 @corp.example.net qa+r1.1 1 + Aa %20 %2B +1202555 12025550123 a-secret-of-the-tests a-secret-
    = ; .`,
  ...[' ', 'Anna Berg', ...json],
);

const known = {
  requestIds: ['request-1', 'request-20000'],
  signatories: [{ id: 'signatory-1', email: 'a@example.com', name: 'A' }],
};
const task = { requestId: 'request-1', signatoryId: 'signatory-1' };
const people = new PeopleRedactor({
  profile: { people: { email: 'qa+{run}.{n}@corp.example.net', mobileNumbers: ['+12025550123'] } },
  runId: 'r1',
  seed: 1,
});
const secrets = new Redactor();
secrets.add('a-secret-of-the-tests', '[secret]');

/** A callback with this content type. */
function delivered(contentType: string, requestIds: readonly string[] = known.requestIds): Border['read'] {
  return (text) => {
    const headers = [['Content-Type', contentType]] as const;
    const body = Buffer.from(text);
    const message = { method: 'POST', target: '/', url: 'http://listener.invalid/', headers, body };
    return [decode(message, {}, { ...known, requestIds }), pdfsIn(headers, body)];
  };
}

async function mailed(text: string): Promise<unknown> {
  const read = async (answered: unknown) => {
    const opened = await openedMails(answered);
    const message = readMessage('email', 'key', opened);
    return [
      isFor(opened, 'email', 'a@example.com'),
      isFor(opened, 'sms', '+12025550123'),
      ...[undefined, /https?:\/\/([^\s"<>]+)\/sign/i].map((own) => findLink(message.leaves, task, own)),
      ...[undefined, /(?:code|is)\D*(\d{4,8})/i].map((own) => findCode(message.contents, own)),
    ];
  };
  const list = { method: 'GET', url: '/?to={email}' } as const;
  const answer = { status: 200, bytes: Buffer.alloc(0), headers: [], index: 0, text };
  const link = `https://a.example/?u=${text}`;
  return [
    tokenOf(link),
    drawnIn(link),
    await new Mailbox('email', { list }, async () => answer).look(personWith({})),
    await read(text),
    await read({ to: text, html: text, attachments: [text] }),
    await read({ Headers: { 'Content-Type': ['multipart/mixed; boundary=b'] }, Body: text }),
  ];
}

function answered(text: string): unknown {
  const value = parseJson(text);
  const lines = fieldsOf([value]);
  return [
    validateResponse('createSkeletonRequest', 201, 'application/json', text),
    findDocumentToken('auto', [], text),
    possiblePlaces([], text),
    idsOf('createSkeletonRequest', text, undefined, {}),
    idIn({ text, headers: [] }, undefined, /request_?id$/i),
    findDocumentToken({ pattern: 'token["\\s:=]+([\\w-]+)' }, [], text),
    deniesSuccess(text, 'an act'),
    granted(text),
    placesOfText('Required', { text, headers: [['X-Error', text]], reason: text }),
    ownWords(text, text),
    jsonLines(text)?.length,
    schemaOfFields(lines),
  ];
}

/** The access token in an answer; where it has none, that is told. */
function granted(text: string): unknown {
  try {
    return grantOf(scopeOf({ text, headers: [] }), {});
  } catch (error) {
    if (error instanceof TokenError) return error.message;
    throw error;
  }
}

const whole = run({ selection: ['otp.sms'], record: record({ exchanges: [exchange(0)] }) });
/** With few open questions: how many there are is no matter of the text. */
const shard = { ...whole, gaps: whole.gaps.slice(0, 3) };

/** Merges and compares two shards, of which one has lists as long as the text has words. */
function merged(text: string): unknown {
  const words = text.split(' ');
  const many = <Entry>(word: string, entry: (key: string, index: number) => Entry) =>
    words.filter((each) => each.startsWith(word)).map(entry);
  const [first, ...gaps] = shard.gaps;
  if (!first) return undefined;
  const seen = { value: 1, stability: 'stable', exchanges: [] } as const;
  const broken = [{ requirement: 'otp.sms', pointer: '', message: '' }];
  const long: Run = {
    ...shard,
    gaps: [
      {
        ...first,
        observations: many('seen', (word, index) => ({ key: word === 'seen' ? word : `${index}`, ...seen })),
      },
      ...gaps,
    ],
    exchanges: many('broken', (_, index) => exchange(index, { violations: broken })),
  };
  return [merge([long, shard]), compareRuns([long, shard]), driftBetween(baselineOf(long), baselineOf(long))];
}

/** Reads a YAML text as deviations and profiles are read; mistakes in it give the message for the user. */
function fileRead(text: string): unknown {
  try {
    return yamlIn(text, 'file.yaml');
  } catch (error) {
    if (error instanceof ConfigurationError) return error.message;
    throw error;
  }
}

export const borders: Readonly<Record<string, Border>> = {
  answers: { read: answered, pieces: json },
  'answers that are pages': { read: answered, pieces: markup },
  'callbacks of a run with many requests': {
    read: (text) =>
      delivered(
        'application/json',
        Array.from({ length: text.length / 64 }, (_, index) => `request-${index}`),
      )(`{"event":1,"x":[${text}1]}`),
    pieces: ['"no-request-id",'],
  },
  'callbacks in JSON': { read: delivered('application/json'), pieces: json },
  'callbacks in XML': { read: delivered('application/xml'), pieces: xml },
  'callbacks as forms': { read: delivered('application/x-www-form-urlencoded'), pieces: form },
  'callbacks in parts': {
    read: (text) => delivered('multipart/form-data; boundary=b')(`--b\r\n${text}`),
    pieces: parts,
  },
  'callbacks of an unknown kind': { read: delivered(''), pieces: [...json, ...xml, ...form, ...parts] },
  mail: { read: mailed, pieces: mail },
  pages: { read: shownText, pieces: markup },
  headers: {
    read: async (text) => [
      parameterOf(text, 'name'),
      parameterOf(text, 'charset'),
      textOf([['Content-Type', text]], Buffer.from('a')),
      await uncoded([['Content-Encoding', text]], Buffer.from('a'), 1_000).catch((error: unknown) => {
        // An error that the coding cannot be undone is right; a TypeError is a bug of the reader.
        if (error instanceof TypeError) throw error;
      }),
    ],
    pieces: header,
  },
  'shards of others': { read: merged, pieces: ['seen ', 'seen+ ', 'broken '] },
  'files in YAML': { read: fileRead, pieces: yaml, most: yamlLimits.bytes },
  'texts that are recorded': {
    read: (text) => [people.text(text), secrets.text(text), secrets.header('Set-Cookie', text)],
    pieces: recorded,
  },
};
