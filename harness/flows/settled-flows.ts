/** What only all flows of a run together can tell. */
import { queryNames } from '../../record/delivery.ts';
import type { SeenDelivery } from '../../record/facts.ts';
import type { Cause } from '../../record/finding.ts';
import { sentCodes } from '../judging/sequence/expected.ts';
import { settle, silenceOf } from '../judging/sequence/settle.ts';
import { mayBeExchanged } from '../people/template-call.ts';
import type { CallTemplate } from '../profile/parts.ts';
import type { EventCodes } from '../untrusted/guess/event-code.ts';
import { type FlowAtEnd, latenessOf } from './flow-deliveries.ts';
import type { FlowParts } from './flow-parts.ts';
import type { FlowResult } from './flow-plan.ts';
import type { JudgedFlow } from './judge-flow.ts';

export interface EndedFlows {
  readonly ended: FlowAtEnd[];
  readonly found: JudgedFlow[];
}

/** How many event names are doubted: the ways to give three of them other codes grow with the third power. */
const mostDoubted = 8;

/**
 * Why callbacks prove nothing: they are wrong with the codes that the profile gives to event names, and right in all
 * flows with other codes for up to three of the names.
 */
function otherCodes({ ended, found }: EndedFlows, { decoding }: FlowParts['settings']): Cause | undefined {
  const { codes } = decoding ?? {};
  const holdsWith = (given: EventCodes) => found.every((each) => each.holdsWith?.(given) ?? true);
  if (!codes || holdsWith(codes)) return undefined;
  const seen = ended.flatMap(({ read }) => read.flatMap((each) => each.seen.events));
  const names = [...new Set(seen.flatMap(({ name }) => name ?? []))].slice(0, mostDoubted);
  let ways: readonly EventCodes[] = [{}];
  for (const name of names) {
    const others = ([...sentCodes, 'other'] as const).filter((code) => code !== codes[name]);
    const few = ways.filter((changes) => Object.keys(changes).length < 3);
    ways = [...ways, ...few.flatMap((changes) => others.map((code) => ({ ...changes, [name]: code })))];
  }
  const fewFirst = ways.toSorted((one, other) => Object.keys(one).length - Object.keys(other).length);
  const right = fewFirst.find((changes) => holdsWith({ ...codes, ...changes }));
  const what = `callbacks are right with ${inWords(right)} (callbacks.decoding.codes)`;
  return right && { excuse: 'nameless', because: { what } };
}

const inWords = (codes: EventCodes = {}) =>
  Object.entries(codes)
    .map(([name, code]) => `${JSON.stringify(name)}: ${code}`)
    .join(', ');

/**
 * Why callbacks prove nothing: all of them have the same events, so the place that the profile names may say the same
 * in each callback. That may be the only event that the profile names, or a list of all events that says of each
 * whether it has happened.
 */
export function alike(
  ended: readonly { readonly read: readonly { readonly seen: Pick<SeenDelivery, 'events'> }[] }[],
  { decoding }: FlowParts['settings'],
): Cause | undefined {
  const codesOf = ({ events }: Pick<SeenDelivery, 'events'>) => new Set(events.map(({ code }) => code));
  const told = ended.flatMap(({ read }) => read.map(({ seen }) => [...codesOf(seen)].toSorted().join()));
  const [first, ...others] = told.filter((codes) => codes !== '');
  const named = [...new Set(Object.values(decoding?.codes ?? {}))].join();
  const saysNothing = first?.includes(',') || first === named;
  const what = 'all callbacks tell the same (callbacks.decoding.event, callbacks.decoding.codes)';
  return saysNothing && others.length > 0 && others.every((codes) => codes === first)
    ? { excuse: 'nameless', because: { what } }
    : undefined;
}

/** The parts of an ended flow that show whether calls to its CallbackUrl tell of events. */
interface Called {
  readonly plan: { readonly callbackUrl?: string };
  readonly read: readonly {
    readonly seen: Pick<SeenDelivery, 'events' | 'problems' | 'target' | 'method'>;
  }[];
}

/**
 * Why callbacks prove nothing: no call that came is about an event, since the public URL redirects, or since the target
 * adds to the query of CallbackUrl what it may want to have answered before it sends anything; how is not shown.
 */
export function onlyTried(ended: readonly Called[], way: FlowParts['listener']['way']): Cause | undefined {
  const calls = ended.flatMap(({ plan, read }) => read.map(({ seen }) => ({ ...seen, ...plan })));
  if (calls.some(({ events, problems }) => events.length + problems.length > 0)) return undefined;
  const asks = calls.some(({ target, callbackUrl = '' }) => {
    const given = queryNames(callbackUrl);
    return queryNames(target).some((name) => !given.includes(name));
  });
  // The payload is not shown: a target may notify by calls that say nothing, if all of them are so.
  const isBlank = calls.some(({ method }) => method === 'POST' || method === 'PUT');
  const what =
    (way?.redirects &&
      'callbacks.publicUrl redirects, and calls came without a body: name the address that it leads to') ||
    (asks &&
      'calls came that tell of no event, with more in their query than CallbackUrl has: the target may send callbacks only to who answers them') ||
    (isBlank && 'calls came that have nothing in their body, and tell of no event elsewhere');
  return what ? { excuse: 'nameless', because: { what } } : undefined;
}

/** The results of all flows that have ended by now, settled with each other. */
export function settleFlows({ ended, found }: EndedFlows, parts: FlowParts): readonly FlowResult[] {
  const { authenticity = { kind: 'none' } } = parts.settings;
  const isHeard = ended.some(({ read }) => read.some(({ seen }) => seen.forged === undefined));
  const silence =
    silenceOf(parts.listener, parts.settings, authenticity.kind === 'none' ? undefined : isHeard) ??
    onlyTried(ended, parts.listener.way) ??
    otherCodes({ ended, found }, parts.settings) ??
    alike(ended, parts.settings);
  const resumed = parts.waiting?.resumed ?? false;
  const { strays: foreignPages, denials } = parts.client;
  const { sendsEarly } = parts.sending;
  const late = latenessOf(ended).filter(({ lateMs }) => lateMs > 0);
  const lateMs = new Map(
    sentCodes.map((code) => [
      code,
      late.flatMap((each) => (each.seen.events.some((one) => one.code === code) ? [each.lateMs] : [])),
    ]),
  );
  const { requestOtp } = parts.profile.calls ?? {};
  const mayNotAsk = requestOtp !== undefined && !isNamedForCodes(requestOtp);
  const around = {
    silence,
    resumed,
    foreignPages,
    denied: denials.all,
    lateMs,
    sendsEarly,
    mayNotAsk,
    onTheWay: parts.listener.way?.changes,
    mayBeExchanged: mayBeExchanged(parts.profile),
  };
  return settle(found, ended, around).map((result, index) => ({
    ...result,
    timeline: found[index]?.tell?.(result.judgements) ?? [],
  }));
}

/** Whether a call's address says that it sends codes: `/otp`, `/codes`, `/send-code`, `/otp/send`. */
const isNamedForCodes = ({ method, url }: CallTemplate) =>
  method !== 'GET' && /(?:[/_-]|send|request)(?:otp|code|passcode)s?(?:\/(?:re)?send)?\/?(?:\?|$)/i.test(url);
