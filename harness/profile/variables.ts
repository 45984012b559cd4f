/** Which `{variables}` each call of a profile may use, and the message about one that nobody fills in. */
import { closest, distance } from 'fastest-levenshtein';
import { valueAt } from '../../openapi/json-pointer.ts';
import { didYouMean } from '../../record/schema-errors.ts';
import { textsIn } from '../untrusted/payload/tree.ts';
import type { CallName } from './schema.ts';

const request = ['requestId'];
const person = [...request, 'signatoryId', 'email', 'name', 'mobileNumber'];
const linked = [...person, 'link', 'token'];
const codes = ['otp', 'otpEmail', 'otpSms', 'accessCode'];
const acting = [...linked, 'act', ...codes];

const ofCalls: Readonly<Record<CallName, readonly string[]>> = {
  deleteRequest: request,
  invalidateDocument: ['documentToken'],
  expireToken: ['token'],
  send: request,
  stamps: person,
  status: request,
  sign: acting,
  approve: acting,
  complete: acting,
  decline: linked,
  requestOtp: linked,
  view: linked,
  viewDocument: [...linked, 'documentIndex', 'documentNumber'],
  completedDocuments: request,
  download: [...request, 'document'],
};

const inBody = ['title', 'message', 'documentToken', 'documents', 'templateId', 'signatories'];
const inCreation = [...inBody, 'role', 'order', 'email', 'name', 'mobileNumber'];
const inMail = [...person, 'messageId'];

/** The parts of a profile with variables, by their keys. */
const places: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(Object.entries(ofCalls).map(([name, known]) => [`calls.${name}`, known])),
  'auth.call': ['refreshToken', 'clientId', 'clientSecret'],
  'upload.body': ['file', 'name', 'mediaType'],
  'create.template.body': inCreation,
  'create.template.signatory': inCreation,
  'create.fixed.body': inCreation,
  'create.fixed.signatory': inCreation,
  'outbox.email.list': inMail,
  'outbox.email.message': inMail,
  'outbox.sms.list': inMail,
  'outbox.sms.message': inMail,
  'signing.page.url': request.concat('signatoryId', 'email'),
};

/**
 * A line for each variable that nobody fills in.
 * @param written the profile before its `${ENV}` references were filled in, since their values may contain braces
 */
export function unknownVariables(written: unknown): string[] {
  return Object.entries(places).flatMap(([place, known]) =>
    textsIn(valueAt(written, `/${place.replaceAll('.', '/')}`), place).flatMap(({ key, text }) =>
      [...text.matchAll(/(?<!\$)\{([A-Za-z][A-Za-z0-9]*)\}/g)]
        .filter(({ 0: whole, 1: name = '', index }) => {
          const before = text.slice(0, index);
          return isMeant(name, known, text === whole || !key.includes('.body') ? undefined : before);
        })
        .map(([whole, name = '']) => {
          const all = known.map((each) => `{${each}}`).join(', ');
          return `${key} names ${whole}, which is no variable there${didYouMean(name, known)} (known: ${all})`;
        }),
    ),
  );
}

/**
 * Whether a name in braces is meant as a variable. In a longer body, braces may belong to another language: only near misses
 * count, and codes, except where they stand behind a word or a call, as the fields that GraphQL asks for do.
 * @param before what stands before it in a longer body
 */
function isMeant(name: string, known: readonly string[], before: string | undefined): boolean {
  if (known.includes(name)) return false;
  return (
    before === undefined ||
    (codes.includes(name) && !/[\w)]\s*$/.test(before)) ||
    distance(name.toLowerCase(), closest(name, known).toLowerCase()) <= name.length / 4
  );
}
