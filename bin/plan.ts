/** `run --dry-run`: says what a run may do to the target, without calling it. */
import { plannedOf } from '../harness/exploring/means.ts';
import { callsMost } from '../harness/exploring/shrink.ts';
import { type LoadedProfile, loadProfile } from '../harness/profile/load.ts';
import { notApplicable } from '../harness/profile/needs.ts';
import type { RunOptions } from '../harness/profile/run-options.ts';
import type { Profile } from '../harness/profile/schema.ts';
import { exploredRequests, planBound, planOf, type RunPlan } from '../harness/session/plan.ts';
import { keptForRefusals, mostRequests } from '../harness/target/budgets/requests.ts';
import { adopted } from '../openapi/requirements/catalogue.ts';
import { print } from '../record/print.ts';
import { exitCode } from '../reports/concluding/outcome.ts';
import { flows } from '../tests/flows/all.ts';

export async function printPlan(options: RunOptions): Promise<number> {
  const loaded = loadProfile(options) ?? (await referenceProfile());
  const { profile } = loaded;
  const { exploreSteps, exploreAlone } = options;
  const checked = planOf({ profile, options, flows });
  const explored = exploreSteps === undefined ? undefined : plannedSteps(exploreSteps, options, profile);
  const kept = exploreAlone ? keptForRefusals : 0;
  const plan = explored ? withSteps({ ...checked, requests: checked.requests - kept }, explored) : checked;
  print(
    [
      `Nothing was called. A run against ${profile.name ?? profile.address.baseUrl} (${profile.address.baseUrl}) makes:`,
      '',
      ...table(plan),
      '',
      ...notes(plan, options, loaded),
      '',
    ].join('\n'),
  );
  return exitCode.conformant;
}

/** About how many calls and objects the explored steps take, with their clean-up. */
function plannedSteps(steps: number, options: RunOptions, profile: Profile) {
  const { outbox, calls, signing } = profile;
  const shows = signing?.driver === 'browser' || calls?.view !== undefined;
  const reads = (channel: 'email' | 'sms') => outbox?.[channel] !== undefined;
  const facts = { notApplicable: notApplicable(profile, options) };
  const planned = plannedOf(
    { profile, facts, driver: { shows, enter: signing }, outbox: { reads } },
    options.seed,
    steps,
  );
  const removed =
    (calls?.deleteRequest ? planned.requests : 0) + (calls?.invalidateDocument ? planned.documents : 0);
  return { ...planned, calls: planned.calls + removed };
}

function withSteps(plan: RunPlan, more: ReturnType<typeof plannedSteps>): RunPlan {
  const sums = Object.entries(more).map(([what, count]) => [what, plan[what as keyof typeof more] + count]);
  return { ...plan, ...Object.fromEntries(sums) };
}

async function referenceProfile(): Promise<LoadedProfile> {
  const { startReferenceTarget } = await import('../running/reference-target.ts');
  const { loaded, close } = await startReferenceTarget();
  await close();
  return loaded;
}

function table(plan: RunPlan): string[] {
  const rows: [number, string][] = [
    [plan.calls, 'calls'],
    [plan.requests, `signature requests (${plan.requestsForMusts} of them for musts)`],
    [plan.documents, 'documents'],
    [plan.signatories, 'signatories that are added to requests'],
    [plan.emails, 'e-mails to people of the run, at most'],
    [plan.sms, 'SMS, at most'],
  ];
  const width = Math.max(...rows.map(([count]) => String(count).length));
  return rows.map(([count, words]) => `  ${String(count).padStart(width)}  ${words}`);
}

function notes(plan: RunPlan, options: RunOptions, { profile }: LoadedProfile): string[] {
  const percent = Math.round(planBound * 100);
  const people = profile.people?.email ?? 'example.com, a domain that belongs to nobody';
  const { budget, only, checks } = options;
  const own =
    checks === undefined ? [] : adopted().flatMap(({ id }) => (!only || only.includes(id) ? [id] : []));
  const more = exploredRequests(options);
  const most = mostRequests({ limit: profile.limits?.requests, budget, more });
  return [
    `A target that answers as documented gets as many calls, ${percent} % more or less. Answers that are not as`,
    'documented are asked for again, up to three times each, and so are calls that met trouble.',
    ...(more > 0
      ? [
          options.exploreSteps === undefined
            ? `Exploring comes on top: about ${plannedSteps(100, options, profile).calls} calls for each 100 steps, while its time lasts.`
            : 'Exploring is counted: its sequences follow from --seed.',
          `A violation takes at most ${callsMost} calls more; exploring creates ${more} signature requests at most.`,
        ]
      : []),
    ...(own.length > 0 ? [`On top comes what checks of your own call: ${own.join(', ')}.`] : []),
    `People are at ${people}.`,
    ...(plan.requests > most
      ? [`Only ${most} signature requests are allowed: musts go first, and what has none left could not run.`]
      : []),
    ...(profile.calls?.deleteRequest
      ? ['What is created is removed at the end; those calls are counted.']
      : ['What is created stays: the profile has no calls.deleteRequest.']),
  ];
}
