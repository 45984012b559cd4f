/** Stories of a signature request in few words: who takes part, who acts, which events arrive when. */

import { type JudgedSequence, judgeSequence } from '../../harness/judging/sequence/sequence.ts';
import { role } from '../../openapi/codes.ts';
import type {
  Actions,
  Plan,
  PlannedSignatory,
  SeenAttachment,
  SeenDelivery,
  SeenEvent,
} from '../../record/facts.ts';
import { findingText } from '../../record/finding-text.ts';

export type RoleName = keyof typeof role;

export const callbackUrl = 'http://127.0.0.1:8080/callback/AAAAAAAAAAAAAAAAAAAAAA?tenant=7';
export const target = '/callback/AAAAAAAAAAAAAAAAAAAAAA?tenant=7';

export function people(...roles: readonly RoleName[]): readonly PlannedSignatory[] {
  return roles.map((name, index) => ({
    id: `signatory-${index}`,
    email: `person-${index}@example.com`,
    name: `Person ${index}`,
    role: role[name],
    order: 1,
  }));
}

/** A request with every event subscribed and nothing attached, unless told otherwise. */
export function planOf(roles: readonly RoleName[], more: Partial<Plan> = {}): Plan {
  return {
    requestId: 'request-1',
    signatories: people(...roles),
    callbackUrl,
    subscription: [1, 2, 3],
    documents: [],
    ...more,
  };
}

/** An event: `1`, `3`, `2` of nobody, `2a` of the first signatory, `2b` of the second, and so on. */
export function eventOf(word: string, more: Partial<SeenEvent> = {}): SeenEvent {
  const code = Number(word[0]) as SeenEvent['code'];
  const who = word.length > 1 ? word.charCodeAt(1) - 97 : undefined;
  return {
    code,
    requestId: 'request-1',
    ...(who === undefined ? {} : { signatory: { by: 'id', value: `signatory-${who}` } }),
    attachments: [],
    unread: [],
    ...more,
  };
}

/** A delivery of one event that is in flight from `startMs` to `endMs`. */
export function deliveryOf(
  index: number,
  event: SeenEvent | string,
  [startMs, endMs]: readonly [number, number],
  more: Partial<SeenDelivery> = {},
): SeenDelivery {
  return {
    index,
    at: { startMs, endMs },
    arrivedMs: (startMs + endMs) / 2,
    accepted: true,
    target,
    events: [typeof event === 'string' ? eventOf(event) : event],
    problems: [],
    ...more,
  };
}

export interface Story {
  readonly plan: Plan;
  readonly actions: Actions;
  readonly deliveries: readonly SeenDelivery[];
}

/**
 * A story told in the order in which things happen, one after the other: `+a` the first signatory acts, `?a` they
 * try and nobody knows what came of it, `sent` the request is sent, everything else an event that arrives.
 */
export function story(plan: Plan, words: string): Story {
  const deliveries: SeenDelivery[] = [];
  const completed: { signatory: number; at: { startMs: number; endMs: number } }[] = [];
  const attempted: typeof completed = [];
  let sent: Actions['sent'];
  for (const [index, word] of words.split(' ').filter(Boolean).entries()) {
    const at = { startMs: index * 10, endMs: index * 10 + 5 };
    if (word === 'sent') sent = at;
    else if (word.startsWith('+')) completed.push({ signatory: word.charCodeAt(1) - 97, at });
    else if (word.startsWith('?')) attempted.push({ signatory: word.charCodeAt(1) - 97, at });
    else deliveries.push(deliveryOf(index, word, [at.startMs, at.endMs]));
  }
  return { plan, actions: { completed, attempted, ...(sent ? { sent } : {}) }, deliveries };
}

export function told({ plan, actions, deliveries }: Story, losses = {}): JudgedSequence {
  return judgeSequence(plan, actions, deliveries, losses);
}

/** Ids of the requirements with a verdict, without their area, in the order of their names. */
export function withVerdict(
  sequence: JudgedSequence,
  verdict: 'passed' | 'failed' | 'could-not-run',
): readonly string[] {
  return sequence.judgements
    .filter((judgement) => judgement.verdict === verdict)
    .map(({ requirement }) => requirement.replace('events.', ''))
    .toSorted();
}

export function failures(given: Story, losses = {}): readonly string[] {
  return withVerdict(told(given, losses), 'failed');
}

export function attachmentOf(
  markers: readonly string[],
  state: SeenAttachment['state'] = 'whole',
): SeenAttachment {
  return { name: 'signed.pdf', state, hasText: true, markers };
}

/** All orders of some words; equal words are not told apart. */
export function permutations(words: readonly string[]): readonly (readonly string[])[] {
  if (words.length < 2) return [words];
  return [...new Set(words)].flatMap((word) => {
    const rest = words.toSpliced(words.indexOf(word), 1);
    return permutations(rest).map((order) => [word, ...order]);
  });
}

/** What is said about one requirement: verdict and message. */
export function said(given: Story, requirement: string, losses = {}): string | undefined {
  const found = told(given, losses).judgements.find(
    (judgement) => judgement.requirement === `events.${requirement}`,
  );
  if (found?.verdict === 'passed') return 'passed';
  return found && `${found.verdict}: ${findingText(found.found, () => undefined)}`;
}

export function observed(given: Story): Record<string, unknown> {
  return Object.fromEntries(told(given).observations.map(({ gap, key, value }) => [`${gap}: ${key}`, value]));
}

/** The story with the events of its deliveries changed. */
export function changed(given: Story, change: (event: SeenEvent) => Partial<SeenEvent>): Story {
  const deliveries = given.deliveries.map((delivery) => ({
    ...delivery,
    events: delivery.events.map((event) => ({ ...event, ...change(event) })),
  }));
  return { ...given, deliveries };
}
