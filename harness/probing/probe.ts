/** Probes a target: does one step after the other until one breaks, then removes what it created where it can. */
import type { Observation } from '../../openapi/observation.ts';
import { ifCouldNotRun } from '../../record/errors.ts';
import { observe } from '../observing/observe.ts';
import type { LoadedProfile } from '../profile/load.ts';
import type { Answer } from '../target/call.ts';
import { cleanUp, leftOf } from '../target/cleanup.ts';
import { type Place, placeName } from '../untrusted/place.ts';
import { access } from './access.ts';
import { reach } from './address.ts';
import { addSignatory, createSkeleton, hasNumericId, type Unmade, unmade } from './creations.ts';
import type { Findings, ProbeResult } from './draft-profile.ts';
import { describeWay, findUpload } from './find-upload.ts';
import { breaks, Ground, type GroundOptions, StepBroken } from './ground.ts';
import { findType3 } from './type3.ts';

/** The findings so far; each step adds to them. */
type Known = { -readonly [Key in keyof Findings]: Findings[Key] };

/** @param stopped ends the probe early when it is aborted; created objects are removed all the same */
export async function probe(
  loaded: LoadedProfile,
  options: GroundOptions,
  stopped: AbortSignal,
): Promise<ProbeResult> {
  const ground = new Ground(loaded, options);
  const stop = () => ground.sender.stop('the probe was interrupted');
  stopped?.addEventListener('abort', stop);
  const known: Known = { numericIds: false, observations: [] };
  let broken: StepBroken | undefined;
  try {
    await steps(ground, known);
  } catch (error) {
    if (!(error instanceof StepBroken)) throw error;
    broken = cleaned(error, ground);
  }
  // The last steps do not break without an answer, so an interrupt has to be noted here.
  if (stopped?.aborted)
    broken ??= new StepBroken('connection', 'the probe was interrupted', 'call probe again');
  stopped?.removeEventListener('abort', stop);
  try {
    const { created, failures } = await remove(ground);
    const observations = [...observed(ground, known), ...known.observations];
    const warnings = [...ground.tokens.warnings, ...failures].map((text) => ground.recorder.text(text));
    return {
      // A target may name a field by a secret.
      ...ground.recorder.clean({ ...known, observations }),
      broken,
      calls: ground.sender.sent(),
      created,
      warnings,
    };
  } finally {
    ground.close();
  }
}

/** @throws StepBroken for the first step that breaks */
async function steps(ground: Ground, known: Known): Promise<void> {
  const { say } = ground;
  await reach(ground);
  const allowed = await access(ground).catch(breaks('access token'));
  const upload = await findUpload(ground, allowed).catch(breaks('upload'));
  const { way, answer } = upload;
  const found = answer.documentToken && 'place' in answer.documentToken ? answer.documentToken : undefined;
  known.numericIds = hasNumericId(answer);
  known.upload = { way, status: answer.status, place: found?.place };
  const from = found ? `, token ${placeInWords(found.place)}` : '';
  say('upload', `${answer.status} to ${describeWay(way)}${from}`);
  const created = await createSkeleton(ground, upload).catch(breaks('creation'));
  known.upload = { ...known.upload, place: created.place };
  known.numericIds ||= hasNumericId(created.answer);
  say('creation', `${created.answer.status} to type 0, with a requestId`);
  const signatory = await addSignatory(ground, upload, created).catch(breaks('signatory'));
  known.numericIds ||= hasNumericId(signatory);
  say(
    'signatory',
    `${signatory.status}${signatory.ids.signatoryId ? ', with a signatoryId' : ', without a signatoryId'}`,
  );
  const answers: readonly Answer[] = [answer, created.answer, signatory];
  known.type3 = await findType3(ground, created.token, answers);
  say('type 3', typeof known.type3 === 'string' ? known.type3 : type3InWords(known.type3));
  if (allowed.takesAnything) return;
  const { observations, refusedUrl } = await unmade(ground, upload, created.token).catch(
    ifCouldNotRun((): Unmade => ({ observations: [] })),
  );
  known.observations = observations;
  if (refusedUrl) known.refusedUrl = refusedUrl;
}

function type3InWords({ status, field }: Exclude<Findings['type3'], string | undefined>): string {
  return `${status} to ${field === undefined ? 'plain JSON' : `JSON in the multipart field "${field}"`}`;
}

/** The error redacted. */
function cleaned({ step, message, fix, exchange }: StepBroken, { recorder }: Ground): StepBroken {
  const shown = exchange && recorder.shown(exchange);
  return new StepBroken(step, recorder.text(message), recorder.text(fix), shown);
}

async function remove(ground: Ground): ReturnType<typeof cleanUp> {
  const { recorder, profile } = ground;
  const { created } = recorder;
  if (leftOf(profile, created).length === 0) return { created, failures: [] };
  ground.sender.resume();
  const client = ground.client({}, { encoding: 'raw' });
  return cleanUp(profile, created, (name, template, variables) => client.template(name, template, variables));
}

function observed({ recorder }: Ground, { upload }: Known): Observation[] {
  const { exchanges } = recorder;
  const uploadFormat = upload?.way.format ?? ({ encoding: 'raw' } as const);
  const seen = observe({ exchanges, created: recorder.created, uploadFormat });
  return seen.filter(({ stability, gap }) => stability === 'stable' || kept.has(gap));
}

/** Volatile observations that are useful all the same. */
const kept = new Set(['service.read-after-write', 'limits.rate']);

/** Where a token or an id stands: `at /documentToken`, `as plain text`. */
function placeInWords(place: Place): string {
  if (place === 'auto') return 'at a place that is looked for';
  if (place === 'text') return 'as plain text';
  const pointer = typeof place === 'string' ? place : place.pointer;
  return pointer === '' ? 'as a JSON string' : `${pointer === undefined ? 'in' : 'at'} ${placeName(place)}`;
}
