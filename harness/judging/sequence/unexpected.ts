/** Judges that nothing arrives that must not, and that what arrives comes to CallbackUrl as it was given. */
import { event, role } from '../../../openapi/codes.ts';
import { type Facts, notCopied, type SeenDelivery } from '../../../record/facts.ts';
import {
  actedApprovers,
  actedSigners,
  distinct,
  due,
  occurrencesOf,
  sentCodes,
  subscribed,
  subscriptionOf,
} from './expected.ts';
import { eventsOf, judgementOf, type SequenceRule } from './judgement.ts';

/** Whether nothing at all arrived although something is due: then a missing event proves nothing. */
function nothingArrived({ plan, actions, occurrences }: Facts): boolean {
  return occurrences.length === 0 && due(plan, actions).length > 0;
}

/** With explicit codes no other event of the table arrives. */
export const onlySubscribed: SequenceRule = (facts) => {
  const { plan, occurrences, clouded } = facts;
  const codes = subscribed(plan);
  if (subscriptionOf(plan) !== 'explicit' || codes.length === sentCodes.length) return;
  const expected = { is: 'only-events', codes: [...codes] } as const;
  const { passed, failed, excused } = judgementOf('events.only-subscribed', expected);
  const others = occurrences.filter(({ event: { code } }) => code !== 'other' && !codes.includes(code));
  if (others.length > 0) return failed({ events: eventsOf(others) }, others);
  if (clouded) return excused('unseen', { loss: clouded });
  return nothingArrived(facts) ? excused('nothing-arrived') : passed(occurrences);
};

/** No event 2 says that a CC completed. */
export const noneForCc: SequenceRule = (facts) => {
  const { plan, actions, clouded } = facts;
  const expectable = subscribed(plan).includes(event.signatoryCompleted);
  if (!expectable || !plan.signatories.some((person) => person.role === role.cc)) return;
  const { passed, failed, excused, missed } = judgementOf('events.none-for-cc', { is: 'none-for-cc' });
  const seen = occurrencesOf(facts, event.signatoryCompleted);
  const forCc = seen.filter(({ who }) => who !== undefined && plan.signatories[who]?.role === role.cc);
  const [could, idle] = [true, false].map((acted) =>
    forCc.filter(({ who }) => actions.completed.some(({ signatory }) => signatory === who) === acted),
  );
  if (idle?.length) return failed({ events: eventsOf(idle) }, idle);
  // If a CC could act, that violates another requirement, and the event about them only follows from it.
  if (could?.length)
    return excused('follows', { requirement: 'signing.cc-cannot-act', what: 'a CC could act' }, could);
  if (seen.length === 0 && !due(plan, actions).includes(event.signatoryCompleted)) return;
  if (seen.length === 0) return missed(event.signatoryCompleted, facts);
  if (clouded) return excused('unseen', { loss: clouded });
  const acted = actedSigners(plan, actions).length + actedApprovers(plan, actions).length;
  const nameless = seen.filter(({ who }) => who === undefined);
  if (nameless.length > 0 && distinct(seen).length > acted)
    return excused('nameless', { events: eventsOf(nameless) }, nameless);
  return passed(seen);
};

/** For a request without CallbackUrl nothing arrives, at any address of the listener. */
export const nothingArrives: SequenceRule = (facts) => {
  const { plan, occurrences, clouded } = facts;
  const { passed, failed, excused } = judgementOf('events.optional', { is: 'no-callback' });
  // An e-mail address or a name may stand in several requests, but the id of a signatory belongs to one.
  const about = occurrences.filter(({ event: { requestId, signatory }, who }) =>
    requestId === undefined ? who !== undefined && signatory?.by === 'id' : requestId === plan.requestId,
  );
  if (about.length > 0) return failed({ events: eventsOf(about) }, about);
  if (clouded) return excused('unseen', { loss: clouded });
  return occurrences.length > 0 ? excused('unknown-request', {}, occurrences) : passed();
};

/** Every delivery goes to CallbackUrl with all of the query that was given. */
export const toCallbackUrl: SequenceRule = (facts) => {
  const { plan } = facts;
  // A delivery that cannot be read may come from anybody.
  const deliveries = [...new Set(facts.occurrences.map(({ delivery }) => delivery))];
  if (plan.callbackUrl === undefined || !URL.canParse(plan.callbackUrl)) return;
  const { passed, failed, excused } = judgementOf('events.to-callback-url', { is: 'callback-url' });
  const given = new URL(plan.callbackUrl);
  const isRight = ({ target }: SeenDelivery) => difference(given, target) === undefined;
  const other = notCopied(
    deliveries.filter((each) => !isRight(each)),
    deliveries.filter(isRight),
  );
  const from = (seen: readonly SeenDelivery[]) => seen.map((delivery) => ({ delivery }));
  const [first] = other;
  if (first) {
    const { index: delivery, target } = first;
    return failed({ ...numbered(delivery), target, how: difference(given, target) ?? '' }, from(other));
  }
  const [stray] = facts.astray;
  if (stray) return failed(numbered(stray.index), from(facts.astray));
  if (nothingArrived(facts))
    return facts.clouded ? excused('unseen', { loss: facts.clouded }) : excused('nothing-arrived');
  return deliveries.length > 0 ? passed(from(deliveries)) : undefined;
};

/** A delivery that this run took in has a number. */
const numbered = (delivery: number) => (delivery < 0 ? {} : { delivery });

/** How the URL differs from the given one; absent when it does not. A tunnel may add or remove a prefix of the path. */
export function difference(given: URL, target: string): string | undefined {
  const whole = /^https?:/i.test(target) ? target : `http://listener.invalid${target}`;
  if (!URL.canParse(whole)) return 'the path is none';
  const received = new URL(whole);
  if (isSlashed(given) !== isSlashed(received)) return `the path is not ${given.pathname}`;
  const [wanted, came] = [bare(given), bare(received)];
  const related = came !== '' && (wanted.endsWith(came) || came.endsWith(wanted));
  if (wanted !== came && !related) return `the path is not ${given.pathname}`;
  for (const [name, value] of given.searchParams) {
    if (!received.searchParams.getAll(name).includes(value))
      return received.searchParams.has(name)
        ? `the query parameter ${name} is changed`
        : `the query parameter ${name} is missing`;
  }
  return undefined;
}

const bare = ({ pathname }: URL): string => pathname.replace(/\/+$/, '');

/** Whether the path ends with a slash; the path `/`, which every URL has, does not count. */
const isSlashed = ({ pathname }: URL): boolean => pathname !== '/' && pathname.endsWith('/');
