/** Judges that callbacks go to CallbackUrl as it was given. */
import type { SeenDelivery } from '../../../record/facts.ts';
import { judgementOf, type Rule } from './judgement.ts';
import { nothingArrived } from './unexpected.ts';

/** Every delivery goes to CallbackUrl with all of the query that was given. */
export const toCallbackUrl: Rule = (facts) => {
  const { plan } = facts;
  // What cannot be read may come from anybody.
  const deliveries = [...new Set(facts.occurrences.map(({ delivery }) => delivery))];
  if (plan.callbackUrl === undefined || !URL.canParse(plan.callbackUrl)) return;
  const { passed, failed, excused } = judgementOf('events.to-callback-url', { is: 'callback-url' });
  const given = new URL(plan.callbackUrl);
  const other = deliveries.filter(({ target }) => difference(given, target) !== undefined);
  const from = (seen: readonly SeenDelivery[]) => seen.map((delivery) => ({ delivery }));
  const [first] = other;
  if (first) {
    const { index: delivery, target } = first;
    return failed({ ...numbered(delivery), target, how: difference(given, target) ?? '' }, from(other));
  }
  const [stray] = facts.astray;
  if (stray) return failed(numbered(stray.index), from(facts.astray));
  if (nothingArrived(facts)) {
    return facts.clouded ? excused('unseen', { loss: facts.clouded }) : excused('nothing-arrived');
  }
  return deliveries.length > 0 ? passed(from(deliveries)) : undefined;
};

/** A delivery that this run took in has a number. */
const numbered = (delivery: number) => (delivery < 0 ? {} : { delivery });

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
