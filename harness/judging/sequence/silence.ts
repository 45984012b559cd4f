/** Judges that nothing arrives that must not: unsubscribed, for a CC, for a request without CallbackUrl. */
import { event, role } from '../../../openapi/codes.ts';
import type { Facts } from '../../../record/facts.ts';
import {
  actedApprovers,
  actedSigners,
  distinct,
  due,
  of,
  sentCodes,
  subscribed,
  subscriptionOf,
} from './expected.ts';
import { judgementOf, named, type SequenceJudgement } from './judgement.ts';

type Rule = (facts: Facts) => SequenceJudgement | undefined;

/** Why silence would say nothing: something is due, and nothing at all has arrived. */
function nothingArrived({ plan, actions, occurrences, clouded }: Facts): string | undefined {
  if (occurrences.length > 0 || due(plan, actions).length === 0) return undefined;
  return clouded ? `nothing could be read: ${clouded}` : 'no callback arrived at all';
}

/** With explicit codes no other event of the table arrives. */
export const onlySubscribed: Rule = (facts) => {
  const { plan, occurrences, clouded } = facts;
  const codes = subscribed(plan);
  if (subscriptionOf(plan) !== 'explicit' || codes.length === sentCodes.length) return;
  const { passed, failed, unreadable } = judgementOf('events.only-subscribed');
  const others = occurrences.filter(({ event: { code } }) => code !== 'other' && !codes.includes(code));
  if (others.length > 0) {
    return failed(`CallbackTypes is [${codes}], and ${others.map(named).join(', ')} arrived`, others);
  }
  const why = nothingArrived(facts) ?? clouded;
  return why ? unreadable(why) : passed(`nothing but events ${codes.join(', ')} arrived`, occurrences);
};

/** Nobody is told that a CC completed. */
export const noneForCc: Rule = (facts) => {
  const { plan, actions, clouded } = facts;
  const expectable = subscribed(plan).includes(event.signatoryCompleted);
  if (!expectable || !plan.signatories.some((person) => person.role === role.cc)) return;
  const { passed, failed, unreadable } = judgementOf('events.none-for-cc');
  const seen = of(facts, event.signatoryCompleted);
  const forCc = seen.filter(({ who }) => who !== undefined && plan.signatories[who]?.role === role.cc);
  if (forCc.length > 0) return failed(`${forCc.map(named).join(', ')} arrived, for a CC`, forCc);
  if (seen.length === 0 && !due(plan, actions).includes(event.signatoryCompleted)) return;
  if (seen.length === 0) return unreadable('no event 2 arrived at all');
  if (clouded) return unreadable(clouded);
  const acted = actedSigners(plan, actions).length + actedApprovers(plan, actions).length;
  const nameless = seen.filter(({ who }) => who === undefined);
  if (nameless.length > 0 && distinct(seen).length > acted) {
    return unreadable('more events 2 arrived than signatories completed, and they name nobody', nameless);
  }
  return passed('event 2 arrived for those who completed only', seen);
};

/** For a request without CallbackUrl nothing arrives, wherever the run listens. */
export const withoutCallbackUrl: Rule = (facts) => {
  const { plan, occurrences, clouded } = facts;
  const { passed, failed, unreadable } = judgementOf('events.optional');
  // People may take part in several requests; the id of a signatory belongs to one.
  const about = occurrences.filter(({ event: { requestId, signatory }, who }) =>
    requestId === undefined ? who !== undefined && signatory?.by === 'id' : requestId === plan.requestId,
  );
  if (about.length > 0) {
    return failed(`the request has no CallbackUrl, and ${about.map(named).join(', ')} arrived`, about);
  }
  if (clouded) return unreadable(clouded);
  if (occurrences.length > 0) return unreadable('callbacks arrived that name no known request', occurrences);
  return passed('nothing arrived for the request without CallbackUrl');
};

/** Every delivery goes to CallbackUrl with all of the query that was given. */
export const toCallbackUrl: Rule = (facts) => {
  const { plan } = facts;
  // What cannot be read may come from anybody.
  const deliveries = [...new Set(facts.occurrences.map(({ delivery }) => delivery))];
  if (plan.callbackUrl === undefined || !URL.canParse(plan.callbackUrl)) return;
  const { passed, failed, unreadable } = judgementOf('events.to-callback-url');
  const given = new URL(plan.callbackUrl);
  const other = deliveries.filter(({ target }) => difference(given, target) !== undefined);
  const [first] = other;
  if (first) {
    const why = difference(given, first.target);
    return failed(
      `delivery ${first.index} went to ${first.target}: ${why}`,
      other.map((delivery) => ({ delivery })),
    );
  }
  const [stray] = facts.astray;
  if (stray) {
    return failed(
      `delivery ${stray.index}, which names this request, went to the CallbackUrl of another one`,
      facts.astray.map((delivery) => ({ delivery })),
    );
  }
  const why = nothingArrived(facts);
  if (why) return unreadable(why);
  if (deliveries.length === 0) return;
  return passed(
    'every delivery went to CallbackUrl as given',
    deliveries.map((delivery) => ({ delivery })),
  );
};

/** What of the URL is not as given; absent when nothing is. A prefix of the path may come or go on the way through a tunnel. */
export function difference(given: URL, target: string): string | undefined {
  const whole = /^https?:/i.test(target) ? target : `http://listener.invalid${target}`;
  if (!URL.canParse(whole)) return 'the path is none';
  const received = new URL(whole);
  if (isSlashed(given) !== isSlashed(received)) return `the path is not ${given.pathname}`;
  const [wanted, came] = [given.pathname, received.pathname].map((path) => path.replace(/\/+$/, ''));
  if (wanted === undefined || came === undefined) return undefined;
  const related = came !== '' && (wanted.endsWith(came) || came.endsWith(wanted));
  if (wanted !== came && !related) return `the path is not ${given.pathname}`;
  for (const [name, value] of given.searchParams) {
    if (!received.searchParams.getAll(name).includes(value)) {
      return received.searchParams.has(name)
        ? `the query parameter ${name} is changed`
        : `the query parameter ${name} is missing`;
    }
  }
  return undefined;
}

/** Whether a slash stands at the end of the path; the least path is always one. */
function isSlashed({ pathname }: URL): boolean {
  return pathname !== '/' && pathname.endsWith('/');
}
