/** Ids and tokens: what they look like, where a token stands, how often and how long it can be used. */
import type { GapId } from '../../openapi/gaps/register.ts';
import type { Observation } from '../../openapi/observation.ts';
import type { Created } from '../../record/exchange.ts';
import { leaves } from '../untrusted/payload/tree.ts';
import {
  type AnsweredCall,
  acceptedBy,
  answered,
  eachOf,
  fact,
  isDeclaredJson,
  jsonOf,
  type Observer,
  type SeenRun,
  stable,
  volatile,
} from './seen.ts';

const gaps: Readonly<Record<Created['kind'], GapId>> = {
  document: 'upload.token-format',
  request: 'skeleton.request-id-format',
  signatory: 'signatory.id-format',
};

const forms: readonly (readonly [string, RegExp])[] = [
  ['UUID', /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i],
  ['ULID', /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/],
  ['digits', /^\d+$/],
  ['hexadecimal digits', /^[0-9a-f]+$/i],
  ['letters and digits', /^[A-Za-z0-9]+$/],
  ['letters, digits, - and _', /^[\w-]+$/],
  ['base64', /^[A-Za-z0-9+/]+=*$/],
  ['a JSON Web Token', /^eyJ[\w-]+\.[\w-]+\.[\w-]*$/],
  ['characters that URLs take as they are', /^[\w.~-]+$/],
];

/** Form and lengths of the ids of each kind. */
export const idForms: Observer = ({ created }) =>
  (Object.keys(gaps) as Created['kind'][]).flatMap((kind): Observation[] => {
    const all = created.filter((each) => each.kind === kind && each.id !== '');
    const [first] = all;
    if (!first) return [];
    const gap = gaps[kind];
    const [form] = forms.find(([, pattern]) => all.every(({ id }) => pattern.test(id))) ?? ['any characters'];
    const lengths = [...new Set(all.map(({ id }) => id.length))].sort((a, b) => a - b);
    const from = { index: first.exchange };
    // Volatile, since ids from a counter grow by a digit now and then.
    return [fact(gap, 'form', form, from), volatile(gap, 'lengths', lengths, from)];
  });

export const tokenPlaces: Observer = (seen) => {
  const tokens = tokensOf(seen);
  return eachOf(uploads, (exchange) => {
    const place = placeOfToken(tokens.get(exchange.index) ?? '', exchange);
    return place ? [['upload.token-place', 'place of the token', place]] : [];
  })(seen);
};

function placeOfToken(token: string, exchange: AnsweredCall): string | undefined {
  const found = leaves(jsonOf(exchange)).find(({ value }) => String(value) === token);
  if (found && found.pointer !== '') return `body ${found.pointer}`;
  // Digits alone are valid JSON, so the declared media type decides.
  if (found && isDeclaredJson(exchange)) return 'the body, a JSON string';
  if (exchange.response.body?.text?.trim() === token) return 'the body, plain text';
  const header = exchange.response.headers.find(([, value]) => value.trim() === token);
  return header && `header ${header[0].toLowerCase()}`;
}

/** The encoding in which uploads were accepted, and the name of the file's field in a form. */
export const uploadEncoding: Observer = (seen) => {
  const [first] = uploads(seen);
  if (!first) return [];
  const { uploadFormat: format } = seen;
  const exchange = first.index;
  return stable([
    { gap: 'upload.encoding', key: 'accepted as', value: format.encoding, exchange },
    ...(format.encoding === 'multipart'
      ? [{ gap: 'upload.field-name' as const, key: 'accepted as', value: format.field, exchange }]
      : []),
  ]);
};

/** Whether a token was accepted in several requests, and the highest age at which one was accepted. */
export const tokenUse: Observer = (seen) => {
  const tokens = tokensOf(seen);
  const creations = acceptedBy('createSkeletonRequest')(seen);
  let oldest: { seconds: number; upload: AnsweredCall; creation: AnsweredCall } | undefined;
  let reused: readonly AnsweredCall[] | undefined;
  for (const upload of uploads(seen)) {
    if (!tokens.has(upload.index)) continue;
    const token = JSON.stringify(tokens.get(upload.index));
    const using = creations.filter(({ request }) => request.body?.text?.includes(token));
    const creation = using.at(-1);
    if (!creation) continue;
    if (using.length > 1) reused ??= using.slice(0, 2);
    const seconds = Math.round((Date.parse(creation.startedAt) - Date.parse(upload.startedAt)) / 1000);
    if (!oldest || seconds > oldest.seconds) oldest = { seconds, upload, creation };
  }
  const several = 'one document token in several requests';
  const age = 'seconds after which a token was still taken';
  return [
    ...(reused ? [fact('upload.token-reuse', several, 'accepted', ...reused)] : []),
    ...(oldest
      ? [volatile('upload.token-validity', age, oldest.seconds, oldest.upload, oldest.creation)]
      : []),
  ];
};

/** Uploads that gave a token; also the first one, which may have been sent to find out how files are sent. */
function uploads(seen: SeenRun): AnsweredCall[] {
  const tokens = tokensOf(seen);
  return answered(seen).filter(({ index }) => tokens.has(index));
}

function tokensOf({ created }: SeenRun): Map<number, string> {
  return new Map(
    created
      .filter(({ kind, id }) => kind === 'document' && id !== '')
      .map(({ exchange, id }) => [exchange, id]),
  );
}
