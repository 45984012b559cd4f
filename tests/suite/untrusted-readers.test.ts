/** The readers of foreign texts: hostile keys, depth and sizes are results and no errors, and take no more than linear time. */
import vm from 'node:vm';
import { expect, test } from '@playwright/test';
import { attachmentsAt } from '../../harness/callbacks/attachments.ts';
import { findCode } from '../../harness/people/messages/find-code.ts';
import { findLink } from '../../harness/people/messages/find-link.ts';
import { isFor } from '../../harness/people/messages/message.ts';
import { idsOf, requestIdIn } from '../../harness/target/answers/answer-record.ts';
import { findDocumentToken } from '../../harness/target/answers/document-token.ts';
import { hurry } from '../../harness/untrusted/deadline.ts';
import { Gathered } from '../../harness/untrusted/gathered.ts';
import { fold, readHtml, shownText } from '../../harness/untrusted/html.ts';
import { limits } from '../../harness/untrusted/limits.ts';
import { openedMails } from '../../harness/untrusted/mail.ts';
import { parsePayload } from '../../harness/untrusted/payload/parse.ts';
import { beginningOf, isObject, leavesOf } from '../../harness/untrusted/payload/tree.ts';
import { scopeOf } from '../../harness/untrusted/place.ts';
import { inShort, textAs } from '../../harness/untrusted/text.ts';
import { fieldsOf } from '../../openapi/fields.ts';
import { parseJson, readJson } from '../../record/json.ts';
import { type Border, borders } from '../proof/fuzz/borders.ts';
import { heldBytes } from '../proof/fuzz/fuzz-run.ts';
import { growthOf, superlinearRatio } from '../proof/fuzz/growth.ts';
import { lowerLimits } from './services/lower-limits.ts';

const MiB = 1024 * 1024;
const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;

function payloadOf(contentType: string, body: string | Buffer) {
  return parsePayload({ headers: [['Content-Type', contentType]], body: Buffer.from(body) });
}

test.describe('JSON', () => {
  test('is read up to its bounds, and told to be beyond them', () => {
    expect(readJson(nested(limits.jsonDepth.most))).toHaveProperty('value');
    for (const text of [nested(limits.jsonDepth.most + 1), nested(1_000_000), '{"a":'.repeat(100_000)]) {
      expect(readJson(text)).toEqual({ problem: 'it is nested deeper than 64 levels', excess: true });
    }
    expect(readJson(`[${'{},'.repeat(limits.jsonNodes.most)}1]`)).toMatchObject({ excess: true });
    // As serialisers write bytes that know no better.
    expect(readJson(`[${'9,'.repeat(2_000_000)}9]`)).toHaveProperty('value');
    expect(readJson(`[${'9,'.repeat(limits.jsonElements.most + 2)}9]`)).toMatchObject({ excess: true });
  });

  test('holds no half of a character, which nothing could be made of, such as a path or a file', () => {
    const text = String.raw`{"\ud800":"a\uDC00\ud83d\ude00","b":"\\ud800 \\\uD83D"}`;
    expect(parseJson(text)).toEqual({ '\ufffd': 'a\ufffd\u{1f600}', b: '\\ud800 \\\ufffd' });
  });

  test('keeps all digits of an integer where no type is stated, and of a document token its type', () => {
    const text = String.raw`{"a\"12345678901234567890":[9007199254740993,-9007199254740993,"\\",12345678901234567],"b":1e400,"c":9007199254740991}`;
    const whole = ['9007199254740993', '-9007199254740993', '\\', '12345678901234567'];
    expect(scopeOf({ headers: [], text }).root).toMatchObject({
      'a"12345678901234567890': whole,
      c: 2 ** 53 - 1,
    });
    const found = { wrongType: 'number', value: '12345678901234567890' };
    for (const place of ['auto', '/token'])
      expect(findDocumentToken(place, [], `{"token":${found.value}}`)).toMatchObject(found);
    const created = '{"requestId":9007199254740993}';
    expect(idsOf('createSkeletonRequest', created, undefined, {})).toEqual({});
    const tolerant = { tolerate: { numericIds: true } };
    const ids = { requestId: '9007199254740993' };
    expect(idsOf('createSkeletonRequest', created, undefined, tolerant)).toEqual(ids);
  });

  for (const [title, text, problem] of [
    ['too deep', nested(100_000), 'nested deeper than 64 levels'],
    ['of too many parts', `[${'{},'.repeat(limits.callbackNodes.most)}1]`, 'more than 50000 objects'],
  ] as const)
    test(`that is ${title} in a callback is unreadable`, () => {
      expect(payloadOf('application/json', text)).toMatchObject({
        parsed: false,
        problem: expect.stringContaining(problem),
      });
    });
});

test('of a tree as many values are kept as are looked at', () => {
  const some = { a: Array(limits.leaves.most).fill(1), b: [[]] };
  expect(leavesOf(beginningOf(some)).length).toBe(limits.leaves.most - 2);
  expect(beginningOf({ a: [1, { b: null }] })).toEqual({ a: [1, { b: null }] });
  const before = heldBytes();
  const large = `{"a":"${'x'.repeat(MiB)}","${'k'.repeat(MiB)}":1}`;
  const kept = Array.from({ length: 15 }, () => beginningOf(JSON.parse(large)));
  expect(heldBytes() - before).toBeLessThan(10 * MiB);
  expect(kept).toHaveLength(15);
});

test('forms with more fields or parts than the bounds are unreadable', () => {
  const form = payloadOf('application/x-www-form-urlencoded', 'a&'.repeat(100_000));
  expect(form).toMatchObject({ parsed: false });
  const headless = `--b${'\r\nx\r\n--b'.repeat(100_000)}--\r\n`;
  expect(payloadOf('multipart/form-data; boundary=b', headless)).toMatchObject({
    parsed: false,
    problem: expect.stringContaining('more than 1000 parts'),
  });
  const bounded = payloadOf(`multipart/form-data; boundary=${'b'.repeat(5_000)}`, 'x');
  expect(bounded).toMatchObject({ parsed: false });
});

test('XML is read up to so many elements and attributes', () => {
  const restore = lowerLimits({ xmlMarks: 2_000, xmlCharacters: 100_000 });
  const elements = (count: number) => payloadOf('application/xml', `<a>${'<b c="" />'.repeat(count)}</a>`);
  const most = (limits.xmlMarks.most - 2) / 2;
  expect(elements(most)).toMatchObject({ parsed: true });
  expect(elements(most + 1)).toMatchObject({ parsed: false, problem: expect.stringContaining('more than') });
  // The parser holds each character by itself until its text ends: 64 MB of them are more than the memory of many machines.
  const long = payloadOf('application/xml', `<a>${' '.repeat(limits.xmlCharacters.most)}</a>`);
  expect(long).toMatchObject({ parsed: false, problem: expect.stringContaining('more than') });
  restore();
});

test('large payloads are no more taken apart where all of them together took too long, and small ones are', () => {
  const large = JSON.stringify({ event: 1, pad: 'x'.repeat(limits.smallBytes.most) });
  expect(payloadOf('application/json', large)).toMatchObject({ parsed: true });
  try {
    hurry.payloadsMs = limits.largeBodiesMs.most + 1;
    expect(payloadOf('application/json', large)).toMatchObject({ parsed: false });
    expect(payloadOf('application/json', '{"event":1}')).toMatchObject({ parsed: true });
    // Thousands of small ones would hold a run that was told to end.
    Object.assign(hurry, { on: true, payloadsMs: 0 });
    expect(payloadOf('application/json', '{"event":1}')).toMatchObject({ parsed: true });
    expect(hurry.payloadsMs).toBeGreaterThan(0);
    hurry.payloadsMs = limits.hurriedMs.most + 1;
    expect(payloadOf('application/json', '{"event":1}')).toMatchObject({ parsed: false });
  } finally {
    Object.assign(hurry, { on: false, payloadsMs: 0 });
  }
});

for (const [type, start] of [
  ['text/html', '<html><meta http-equiv="Content-Type" content="text/html; charset=iso-8859-1">'],
  ['text/html', "<html><META CHARSET='Latin1'>"],
  ['application/xml', '<?xml version="1.0" encoding="ISO-8859-1"?>'],
] as const)
  test(`${start} says of which charset it is, unless its header does`, () => {
    expect(textAs(type, Buffer.from(`${start}Ärger`, 'latin1'))).toBe(`${start}Ärger`);
    expect(textAs(`${type}; charset=utf-8`, Buffer.from(`${start}Ärger`))).toBe(`${start}Ärger`);
  });

test('XML that is sent as UTF-8 is read so, though it says UTF-16 of itself', () => {
  const text = '<?xml version="1.0" encoding="utf-16"?><name>Ärger</name>';
  expect(textAs('application/xml', Buffer.from(text))).toBe(text);
});

test.describe('mail', () => {
  const raw = [
    'To: Anna <anna@example.com>',
    'Subject: =?utf-8?Q?Fran=C3=A7ois?= =?iso-8859-1?q?_=F1?=',
    'MIME-Version: 1.0',
    'Content-Type: multipart/alternative; boundary=b',
    '',
    '--b',
    'Content-Type: text/plain; charset=iso-8859-1',
    'Content-Transfer-Encoding: quoted-printable',
    '',
    'Dein Code =',
    'lautet 48=32913, gar=E7on',
    '--b',
    'Content-Type: application/pdf; name=a.pdf',
    'Content-Transfer-Encoding: base64',
    'Content-Disposition: attachment; filename=a.pdf',
    '',
    'JVBERi0xLjQ=',
    '--b--',
  ].join('\r\n');

  test('as it was sent is opened, wherever it stands in an answer', async () => {
    const opened = {
      subject: 'François ñ',
      to: ['anna@example.com'],
      text: expect.stringContaining('Dein Code lautet 482913, garçon'),
      attachments: [{ filename: 'a.pdf', contentType: 'application/pdf' }],
    };
    const first = await openedMails(raw);
    expect(first).toMatchObject(opened);
    // A mailbox is read again and again, and a mail parsed once.
    const filesOf = (mail: unknown) => isObject(mail) && mail.attachments;
    expect(filesOf(await openedMails(raw))).toBe(filesOf(first));
    expect(await openedMails({ messages: [{ Raw: raw }] })).toMatchObject({ messages: [{ Raw: opened }] });
    const Headers = { 'Content-Type': ['multipart/alternative; boundary=b'] };
    const Body = raw.slice(raw.indexOf('\r\n\r\n') + 4);
    const { text, attachments } = opened;
    expect(await openedMails({ Headers, Body })).toMatchObject({ Body: { text, attachments } });
    // One body, in how many ways its name may be spelled: each takes as long to read as the mail is.
    const spelled = { headers: { 'Content-Type': 'text/plain' }, body: 'x', 'bo-dy': 'y' };
    expect(await openedMails(spelled)).toMatchObject({ body: { text: 'x\n' }, 'bo-dy': 'y' });
  });

  test('lets an interrupt through before the next one, and is no more opened where all together took too long', async () => {
    const { mailsMs } = limits;
    let opened = 0;
    let openedWhenHeard: number | undefined;
    setImmediate(() => {
      openedWhenHeard = opened;
    });
    for (const at of [1, 2, 3]) {
      expect(await openedMails(`X-Number: ${at}\r\n${raw}`)).toMatchObject({ subject: 'François ñ' });
      opened += 1;
    }
    expect(openedWhenHeard).toBe(0);
    try {
      Object.assign(limits, { mailsMs: { ...mailsMs, most: 0 } });
      expect(await openedMails(`X-Late: 1\r\n${raw}`)).toContain('Fran=C3=A7ois');
    } finally {
      Object.assign(limits, { mailsMs });
    }
  });

  test('is read as a person sees it, with every entity of HTML', () => {
    const page = '<p>Gar&ccedil;on &amp; ni&ntilde;o &agrave; <b>12</b>34<style>x</style>';
    expect(fold(shownText(page))).toBe('Garçon & niño à 1234');
    expect(shownText('3 &lt; 4 & a&b')).toBe('3 < 4 & a&b');
    expect(readHtml('<A HREF="https://a.example/?a=1&amp;b=2">x</A>').links).toEqual([
      'https://a.example/?a=1&b=2',
    ]);
  });
});

test('a pattern of a profile is given up over a text that is made for it, once, and over more in less time', () => {
  const restore = lowerLimits({ patternMs: 500 });
  const hostile = (length: number) => `code: ${'a'.repeat(length)}!`;
  // By itself each takes longer than anybody waits.
  const pattern = /code: (?:(\w+) ?)*$/;
  const { runInContext } = vm.Script.prototype;
  // What those were given that were given up: what a busy machine takes beyond it does not count.
  let givenMs = 0;
  vm.Script.prototype.runInContext = function (...given) {
    try {
      return runInContext.apply(this, given);
    } catch (error) {
      givenMs += Number((given[1] as vm.RunningCodeOptions).timeout);
      throw error;
    }
  };
  expect(findCode([hostile(60), 'code: 123456'], pattern)?.code).toBe('123456');
  for (const length of [60, 60, 61, 62, 63, 64, 65])
    expect(findCode([hostile(length)], pattern)).toBeUndefined();
  expect(givenMs).toBeGreaterThan(0);
  expect(givenMs).toBeLessThan(5 * limits.patternMs.most);
  Object.assign(vm.Script.prototype, { runInContext });
  expect(findCode(['code: 123456'], pattern)?.code).toBe('123456');
  expect(findLink(['h'.repeat(60)], { requestId: 'r' }, /(?:(h\w+) ?)*\?$/)).toBeUndefined();
  restore();
});

test('a pattern costs no thread for each of countless texts, and is not looked for any more where many are made for it', () => {
  const { runInContext } = vm.Script.prototype;
  const { now } = performance;
  let [threads, lateMs] = [0, 0];
  try {
    vm.Script.prototype.runInContext = function (...given) {
      threads += 1;
      return runInContext.apply(this, given);
    };
    const texts = Array.from({ length: 20_000 }, (_, at) => `link ${at}`);
    expect(
      findLink([...texts, 'link: https://a.example/sign/x'], { requestId: 'r' }, /link: (\S+)/)?.url,
    ).toBe('https://a.example/sign/x');
    expect(threads).toBe(1);

    const item = texts.map((url) => ({ url }));
    const content = { pointer: '/url', pattern: '(.+)' };
    expect(attachmentsAt({ as: 'url', content }, { item, root: item })).toHaveLength(limits.attachments.most);
    expect(threads).toBe(1 + limits.attachments.most);

    // As if each text were made for it.
    performance.now = () => now.call(performance) + lateMs;
    vm.Script.prototype.runInContext = (_, options) => {
      lateMs += Number((options as vm.RunningCodeOptions).timeout);
      throw Object.assign(new Error(), { code: 'ERR_SCRIPT_EXECUTION_TIMEOUT' });
    };
    expect(findCode(texts, /never (\d+)/)).toBeUndefined();
    expect(lateMs).toBeLessThan(limits.slowPatternMs.most + 2 * limits.patternMs.most);
  } finally {
    Object.assign(vm.Script.prototype, { runInContext });
    Object.assign(performance, { now });
  }
});

test('ids and names of fields beyond their bounds are none: they would stand in each call and report', () => {
  const long = 'x'.repeat(limits.idCharacters.most);
  const answer = (id: string) => ({ text: JSON.stringify({ requestId: id, signatoryId: id }), headers: [] });
  const ids = { requestId: long, signatoryId: long };
  expect(idsOf('addSignatory', answer(long).text, undefined, {})).toEqual(ids);
  expect(idsOf('addSignatory', answer(`${long}x`).text, undefined, {})).toEqual({});
  expect(requestIdIn(answer(long))).toBe(long);
  expect(requestIdIn(answer(`${long}x`))).toBeUndefined();
  const named = { ['k'.repeat(1_001)]: 'a', b: 'c' };
  expect(leavesOf(named).map(({ value }) => value)).toEqual(['c']);
  expect(fieldsOf([named])).toEqual(['/b: string']);
});

test('a body takes no more memory for coming byte by byte', () => {
  const before = heldBytes();
  const gathered = new Gathered();
  const bytes = 100_000;
  for (let at = 0; at < bytes; at += 1) gathered.add(Buffer.alloc(1, 'x'));
  expect(heldBytes() - before).toBeLessThan(20 * bytes);
  expect(gathered.take().toString()).toBe('x'.repeat(bytes));
  expect(gathered.take().length).toBe(0);
});

test('a mailbox may name more recipients than a call takes arguments', () => {
  expect(isFor({ to: `${'a@b '.repeat(250_000)}ann@example.com` }, 'email', 'ann@example.com')).toBe(true);
  expect(isFor({ to: `${'123456x'.repeat(140_000)}+12025550123` }, 'sms', '+12025550123')).toBe(true);
});

test('what a target says stands in a message in one line, without colors of its own', () => {
  expect(inShort('\u001b[32mpassed\r\n\u202eit ', 99)).toBe('\\u{001b}[32mpassed \\u{202e}it');
});

/** What once took quadratic time: 256 times as long for a text that is 16 times as long. */
const onceQuadratic: readonly (readonly [border: string, piece: string])[] = [
  ['mail', '=\r\n'],
  ['callbacks of a run with many requests', '"no-request-id",'],
  ['files in YAML', '- &a x\n- *a\n'],
  ['shards of others', 'seen+ '],
  ['callbacks in JSON', `{"name":"a.pdf","content":"${'JVBERi0'.padEnd(210, 'A')}"},`],
];

for (const [name, piece] of onceQuadratic) {
  test(`${name}: ${JSON.stringify(piece).slice(0, 20)} over and over takes no more than linear time`, async () => {
    // Time of the processor, the best of three; `npx tsx bench/doubling.ts` does it with every piece, and up to 1 MB.
    const { ms, ratio } = await growthOf(borders[name] as Border, piece, 8 * 1024);
    expect(ratio, ms.map(Math.round).join(' ms, ')).toBeLessThan(superlinearRatio);
  });
}
