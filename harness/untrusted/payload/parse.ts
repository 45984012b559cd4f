/** Reads a delivery into a tree: its body, which is JSON, XML, a form, multipart or a file, or its query where it has no body. */
import type { Message } from '../../../record/delivery.ts';
import { headerOf } from '../../../record/exchange.ts';
import { readJson } from '../../../record/json.ts';
import { hurry } from '../deadline.ts';
import { limits } from '../limits.ts';
import { inShort, mediaTypeOf, textAs } from '../text.ts';
import { fieldsOfForm, treeOfFields } from './fields.ts';
import { treeOfMultipart } from './multipart.ts';
import { FilePart, isObject, unfolded } from './tree.ts';
import { treeOfXml } from './xml.ts';

type PayloadFormat = 'json' | 'xml' | 'form' | 'multipart' | 'text' | 'file' | 'empty';

type Payload =
  | { readonly parsed: true; readonly format: PayloadFormat; readonly tree: unknown }
  | { readonly parsed: false; readonly problem: string };

/** How much of a problem may be the words of a stranger, in characters. */
const mostQuoted = 200;

/** Whether a payload is being timed already. */
let counts = false;

/** Whether work on a payload is timed: on large ones, and on all once the run was told to end. */
const isTimed = ({ length }: Uint8Array) => hurry.on || length > limits.smallBytes.most;

/** Runs work on a payload and counts its time. That includes searching the tree, which takes longer than parsing. */
export function timed<Done>(body: Uint8Array, work: () => Done): Done {
  if (counts || !isTimed(body)) return work();
  const startMs = performance.now();
  counts = true;
  try {
    return work();
  } finally {
    counts = false;
    hurry.payloadsMs += performance.now() - startMs;
  }
}

/** How many bytes of a body are read by now without its content coding: as many as are taken apart. */
export function uncodedMost(): number {
  if (isLate()) return limits.smallBytes.most;
  return (hurry.on ? limits.hurriedBytes : limits.codedBytes).most;
}

const isLate = () => hurry.payloadsMs > (hurry.on ? limits.hurriedMs : limits.largeBodiesMs).most;

/** The payload in the given format, or the one that Content-Type and first bytes show. Never throws. */
export function parsePayload(
  message: Pick<Message, 'headers' | 'body'> & Partial<Pick<Message, 'target'>>,
  format: 'auto' | PayloadFormat = 'auto',
): Payload {
  const contentType = headerOf(message.headers, 'content-type') ?? '';
  const late = isTimed(message.body) && isLate();
  if (hurry.on && (late || message.body.length > limits.hurriedBytes.most))
    return { parsed: false, problem: 'the run was told to end before it was read' };
  if (late) return { parsed: false, problem: 'taking apart others as large took too long before' };
  const given = format === 'auto' ? detected(message.body, mediaTypeOf(contentType)) : format;
  const found = message.body.length === 0 ? 'empty' : given;
  if (!found)
    return {
      parsed: false,
      problem: `the body is neither JSON, XML, a form nor multipart (Content-Type ${inShort(contentType, mostQuoted) || 'missing'}, first bytes ${firstBytes(message.body)}); say what it is in callbacks.decoding.format`,
    };
  try {
    return {
      parsed: true,
      format: found,
      tree: timed(message.body, () => treeOf(found, message, contentType)),
    };
  } catch (error) {
    // A parser may quote a name of a megabyte, and each flow and requirement would repeat it.
    const why = inShort((error as Error).message, mostQuoted);
    return { parsed: false, problem: `the body cannot be read as ${found}: ${why}` };
  }
}

function treeOf(
  format: PayloadFormat,
  { body, target = '' }: Parameters<typeof parsePayload>[0],
  contentType: string,
): unknown {
  switch (format) {
    case 'json':
      return unfoldedOnce(jsonOf(textAs(contentType, body)));
    case 'xml':
      return treeOfXml(textAs(contentType, body));
    case 'form':
      return treeOfFields(
        fieldsOfForm(textAs(contentType, body)).map(([name, value]) => [name, unfolded(value)]),
      );
    case 'multipart':
      return treeOfMultipart(body, contentType);
    case 'text':
      return textAs(contentType, body);
    case 'file':
      return { body: new FilePart(body, mediaTypeOf(contentType)) };
    case 'empty': {
      const fields = fieldsOfForm(/\?(.*)/s.exec(target)?.[1] ?? '');
      return fields.length > 0 ? treeOfFields(fields) : {};
    }
  }
}

/** One JSON document, or those that stand in a line each (NDJSON). @throws Error that says what is wrong with the text */
function jsonOf(text: string): unknown {
  const read = (json: string) => readJson(json, limits.callbackNodes.most, 'unstated');
  const reading = read(text);
  if ('value' in reading) return reading.value;
  const lines = reading.excess ? reading : read(`[${text.trim().replaceAll(/[\r\n]+/g, ',')}]`);
  if ('value' in lines) return lines.value;
  throw new Error(reading.problem);
}

function detected(body: Uint8Array, mediaType: string): PayloadFormat | undefined {
  if (mediaType.startsWith('multipart/')) return 'multipart';
  if (mediaType === 'application/x-www-form-urlencoded') return formOrBetter(body);
  if (/[/+]json$/.test(mediaType)) return 'json';
  if (/[/+]xml$/.test(mediaType)) return 'xml';
  if (mediaType === 'application/pdf' || firstText(body).startsWith('%PDF-')) return 'file';
  return sniffed(body);
}

/** The format of a body declared as a form: some senders declare a form, the default of their HTTP client, and send JSON. */
const formOrBetter = (body: Uint8Array): PayloadFormat => (sniffed(body) === 'json' ? 'json' : 'form');

function sniffed(body: Uint8Array): PayloadFormat | undefined {
  const text = firstText(body);
  if (/^[[{]/.test(text)) return 'json';
  if (/^<[?!A-Za-z]/.test(text)) return 'xml';
  return /^[\w.[\]%-]+=[^\s]*$/.test(text) ? 'form' : undefined;
}

const firstText = (body: Uint8Array): string => new TextDecoder().decode(body.subarray(0, 256)).trimStart();

function firstBytes(body: Uint8Array): string {
  return JSON.stringify(new TextDecoder('latin1').decode(body.subarray(0, 24)));
}

/** The tree with JSON texts at its top level parsed: message brokers wrap messages so. */
function unfoldedOnce(tree: unknown): unknown {
  if (!isObject(tree)) return tree;
  return Object.fromEntries(
    Object.entries(tree).map(([key, value]) => [key, typeof value === 'string' ? unfolded(value) : value]),
  );
}
