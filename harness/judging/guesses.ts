/** Guesses, in the first calls of a run, what the profile does not say. The target is not blamed for a wrong guess. */
import { STATUS_CODES } from 'node:http';
import { is2xx, is4xx } from '../../record/exchange.ts';
import type { AnswerClass, SharedCall } from '../../record/finding.ts';
import type { Profile } from '../profile/schema.ts';
import { isProduction } from '../profile/smoke.ts';
import { isNamedLikeToken } from '../target/answers/document-token.ts';
import { type Answer, isAccepted } from '../target/call.ts';
import type { Client } from '../target/client.ts';
import { describeFormat, type UploadFormat, uploadFormats, wronglySent } from '../target/upload.ts';
import { classify, isNotThere, isTransient } from './classify.ts';
import { callWithoutAccess, inOwnWords, isToldRefusal, ownWords, standingWords } from './excuses.ts';

/** After such an answer no other encoding is tried: the target is busy, or refuses the account or its access token. */
const hopeless: readonly AnswerClass[] = ['rate', 'busy', 'early', 'access', 'quota'];

/** Uploads a document in one way; `guessed` when the profile does not name the encoding. */
export type UploadOnce = (format: UploadFormat, guessed: boolean) => Promise<Answer>;

/**
 * The answer to the first upload that is accepted, else the first with a 2xx status, else the first of all. The client
 * remembers how it was sent and where its token stood.
 * @param uploadOther uploads a document of another format
 */
export async function firstUpload(
  client: Client,
  profile: Profile,
  upload: UploadOnce,
  uploadOther: UploadOnce,
): Promise<Answer> {
  const formats = formatsOf(profile);
  const guessed = formats.some(({ encoding }) => encoding !== formats[0]?.encoding);
  const tried: Answer[] = [];
  let said: Promise<string> | undefined;
  const standing = () => (said ??= standingWords(client, profile));
  for (const format of formats) {
    const answer = await inOwnWords(await upload(format, guessed), standing);
    if (isAccepted(answer)) {
      remember(client, format, answer);
      return answer;
    }
    tried.push(answer);
    if (answer.status === 0 || hopeless.includes(classify(answer))) break;
    // The profile names the encoding, and the file was accepted: another Content-Type would not bring a token.
    if (!guessed && is2xx(answer)) break;
  }
  const [format] = formats;
  if (format && tried[0] && classify(tried[0]) === 'refused') {
    const again = await upload(format, guessed);
    if (isAccepted(again)) {
      remember(client, format, again);
      return { ...again, before: tried[0] };
    }
  }
  const first = tried.find(is2xx) ?? tried[0];
  if (!first) throw new Error('no way of uploading is known');
  const guess =
    (await guessOf(client, profile, first, formats.slice(0, tried.length))) ??
    (await takenOtherwise(profile, first, formats, upload)) ??
    unvouched(profile, first);
  if (guess === undefined) return first;
  const isOpen = isRefused(first) && tried.length === formats.length;
  const known = isOpen ? await acceptedOther(client, formats, uploadOther) : -1;
  // Another document is accepted in this way, so the document was refused, and not the way.
  return tried[known] ?? { ...first, guess };
}

/** Whether a file was refused, which some services say with status 200. */
const isRefused = (answer: Answer): boolean => is4xx(answer) || isToldRefusal(answer);

/** The guess in words, if the file is refused in the profile's way and accepted in another usual one. */
async function takenOtherwise(
  profile: Profile,
  first: Answer,
  tried: readonly UploadFormat[],
  upload: UploadOnce,
): Promise<string | undefined> {
  if (!isRefused(first) || hopeless.includes(classify(first)) || isProduction(profile)) return undefined;
  const said = tried.map(describeFormat);
  for (const format of uploadFormats(undefined)) {
    const way = describeFormat(format);
    if (said.includes(way)) continue;
    const answer = await upload(format, true);
    // That the answer holds a token is not required here: the profile may name a wrong place for it, too.
    if (is2xx(answer) && !isToldRefusal(answer)) return wronglySent(format);
  }
  return undefined;
}

/** How a file is sent is not shown. As long as no file was accepted in the profile's way, that way may be wrong. */
const unvouched = (profile: Profile, first: Answer): string | undefined =>
  profile.upload &&
  ([400, 415, 422].includes(first.status) || isToldRefusal(first)) &&
  !hopeless.includes(classify(first)) &&
  !isProduction(profile)
    ? 'the profile may not say how the target takes a file (upload.encoding, upload.field, upload.fields, upload.body): a DOCX is refused likewise, and so are the usual ways'
    : undefined;

function remember(client: Client, format: UploadFormat, { documentToken }: Answer): void {
  client.uploadFormat = format;
  if (!documentToken || 'missing' in documentToken) return;
  // Where the name of no place speaks of a token, each answer is searched anew, so that the doubt stays with it.
  if (documentToken.doubt === undefined || isNamedLikeToken(documentToken.place))
    client.tokenPlace = documentToken.place;
}

/** Position of the first way in which the other document is accepted, or -1. */
async function acceptedOther(
  client: Client,
  formats: readonly UploadFormat[],
  upload: UploadOnce,
): Promise<number> {
  for (const [index, format] of formats.entries()) {
    const answer = await upload(format, true);
    if (isAccepted(answer)) {
      remember(client, format, answer);
      return index;
    }
    if (isTransient(answer)) break;
  }
  return -1;
}

/** In production nothing is tried out. */
function formatsOf(profile: Profile): readonly UploadFormat[] {
  const formats = uploadFormats(profile.upload);
  return isProduction(profile) ? formats.slice(0, 1) : formats;
}

/** The guess that may be the reason of a refused upload, in words. */
async function guessOf(
  client: Client,
  profile: Profile,
  answer: Answer,
  tried: readonly UploadFormat[],
): Promise<string | undefined> {
  const { status } = answer;
  if (status === 0 || status >= 500) return undefined;
  if (status >= 300 && status < 400) return 'it redirects: is the base URL right?';
  if (isNotThere(answer) && !isProduction(profile)) {
    const other = await client.call({ ...callWithoutAccess, authorization: 'valid' });
    if (other.status === 0 || isNotThere(other))
      return 'another endpoint is not found there either: is the base URL right?';
  }
  const { documentToken } = answer;
  if (documentToken && 'missing' in documentToken && documentToken.hidden && !isToldRefusal(answer))
    return `it was taken; say where the token stands (upload.token): ${documentToken.missing}`;
  if (tried.length < 2) return undefined;
  const ways = tried.map(describeFormat).join('; ');
  const { encoding = 'auto' } = profile.upload ?? {};
  if (encoding !== 'auto')
    return `is upload.encoding: ${encoding} of the profile right? Without it the run finds out how files are sent; tried were: ${ways}`;
  const keys = 'encoding, upload.field';
  return `the profile does not say how files are sent (upload.${keys}), and tried were: ${ways}`;
}

const aboutMedia = /multipart|form-?data|content[- ]?type|media[- ]?type/i;
const aboutAddress = /e-?mail|domain|recipient/i;

/**
 * The guess in words; `undefined` where the profile says all that the call is made of.
 * @param plain makes the call as if the profile said nothing of how bodies travel
 * @param stamped the answer to endpoint 3, to which the same is sent
 */
export async function guessedCreation(
  name: SharedCall,
  answer: Answer,
  profile: Profile,
  client: Pick<Client, 'call'>,
  plain: () => Promise<Answer>,
  stamped: () => Promise<Answer>,
): Promise<string | undefined> {
  const { status, text } = answer;
  const { create, people } = profile;
  const isStamped = name.startsWith('stamped');
  // A service may refuse addresses that get no mail, such as invented ones. If it has accepted them elsewhere, they
  // are not the reason.
  const invented = (isStamped || name === 'signatory') && people?.email === undefined;
  const isTaken = async () => name === 'stamped-unversioned' && isAccepted(await stamped());
  if (invented && (await mayBeForAddress(answer, profile, client)) && !(await isTaken()))
    return 'the profile names no addresses (people.email), and an invented one was used';
  // How bodies of types 1 to 3 are sent is not shown, and a profile that describes these creations may still not say
  // it.
  const travels = isStamped || name === 'template' || name === 'fixed';
  const unsaid = create === undefined ? [400, 422].includes(status) : aboutMedia.test(text);
  const keys = (['field', 'fields'] as const).filter((key) => create?.[key] !== undefined);
  const told = travels && keys.length > 0 && [400, 415, 422].includes(status);
  if (told && !isProduction(profile) && isAccepted(await plain()))
    return `${keys.map((key) => `create.${key}`).join(' and ')} of the profile may be wrong: without it the same is taken as plain JSON`;
  if (travels && create?.field === undefined && (status === 415 || unsaid))
    return 'the profile does not say how the body travels (create.field), and plain JSON was tried';
  // Bodies of types 1 and 2 are not shown. The profile may also describe a type that the target does not offer.
  return name === 'template' || name === 'fixed'
    ? `create.${name} of the profile may not be what the target takes: the interface document shows no body of this type`
    : undefined;
}

/** Whether the refusal speaks of an address, or has no words of its own, like a bare 400. */
async function mayBeForAddress(
  answer: Answer,
  profile: Profile,
  client: Pick<Client, 'call'>,
): Promise<boolean> {
  const { status, text } = answer;
  if (![400, 403, 422].includes(status)) return false;
  // In production no call is made that is meant to be refused.
  if (isProduction(profile)) return aboutAddress.test(text);
  const own = ownWords(text, await standingWords(client, profile));
  return aboutAddress.test(own) || !/[a-z]/i.test(own.replaceAll(STATUS_CODES[status] ?? '', ''));
}
