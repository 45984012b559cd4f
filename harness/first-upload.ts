/** Finds out how the target wants files when the profile does not say, by the first upload of the run. */
import { type Answer, is2xx, isAccepted } from './call.ts';
import type { Client } from './client.ts';
import type { Profile } from './profile/schema.ts';
import { isProduction } from './smoke.ts';
import { blamesAccount } from './unavailable.ts';
import { describeFormat, type UploadFormat, uploadFormats } from './upload.ts';

/** Uploads a document in one way; `guessed` when the profile does not name the encoding. */
export type UploadOnce = (format: UploadFormat, guessed: boolean) => Promise<Answer>;

/**
 * The answer to the first upload that is accepted, else the first with a 2xx status, else the first of all. The client remembers how it was
 * sent and where its token stood.
 */
export async function firstUpload(client: Client, profile: Profile, upload: UploadOnce): Promise<Answer> {
  const formats = formatsOf(profile);
  const guessed = formats.some(({ encoding }) => encoding !== formats[0]?.encoding);
  const tried: Answer[] = [];
  for (const format of formats) {
    const answer = await upload(format, guessed);
    if (isAccepted(answer)) {
      client.uploadFormat = format;
      if (answer.documentToken && 'place' in answer.documentToken) {
        client.tokenPlace = answer.documentToken.place;
      }
      return answer;
    }
    tried.push(answer);
    // Another encoding mends neither a dead or busy target nor a token that is not accepted.
    if ([0, 429, 503].includes(answer.status) || blamesAccount(answer)) break;
    // Where the encoding is known, another Content-Type does not mend what was taken.
    if (!guessed && is2xx(answer)) break;
  }
  const first = tried.find(is2xx) ?? tried[0];
  if (!first) throw new Error('no way of uploading is known');
  const guess = await guessOf(client, profile, first, formats.slice(0, tried.length));
  return guess === undefined ? first : { ...first, guess };
}

/** In production nothing is tried out. */
function formatsOf(profile: Profile): readonly UploadFormat[] {
  const formats = uploadFormats(profile.upload);
  return isProduction(profile) ? formats.slice(0, 1) : formats;
}

/** What of a refused upload rests on a guess of ours, so that the target is not to blame for it. */
async function guessOf(
  client: Client,
  profile: Profile,
  answer: Answer,
  tried: readonly UploadFormat[],
): Promise<string | undefined> {
  const { status } = answer;
  if (status === 0 || status >= 500) return undefined;
  if (status >= 300 && status < 400) return 'it redirects: is the base URL right?';
  if ((status === 404 || status === 405) && !isProduction(profile)) {
    const other = await client.call({
      operation: 'createSkeletonRequest',
      purpose: 'confirmation',
      deliberate: true,
      body: { json: {} },
    });
    if ([0, 404, 405].includes(other.status)) {
      return 'another endpoint is not found there either: is the base URL right?';
    }
  }
  if (tried.length < 2) return undefined;
  const ways = tried.map(describeFormat).join('; ');
  const keys = profile.upload?.encoding === 'raw' ? 'contentTypes' : 'encoding, upload.field';
  return `the profile does not say how files are sent (upload.${keys}), and tried were: ${ways}`;
}
