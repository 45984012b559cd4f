/** Who acts, and whose turn it is (sections "SignatoryType values" and "Signatory": Order). */
import { requestType, role } from '../openapi/codes.ts';
import type { StoredSignatory } from './model.ts';
import { isOn } from './rules.ts';
import type { Service } from './service.ts';

type People = readonly StoredSignatory[];

/** Signers and approvers; a CC cannot act. */
export function actors(service: Service, signatories: People): People {
  const awaited = isOn(service, {
    'signing.cc-cannot-act/awaited': true,
    'signing.cc-cannot-act/never-completes': true,
    'signing.cc-cannot-act/type-3-as-approver': isStamped(service, signatories),
  });
  return signatories.filter((signatory) => signatory.role !== role.cc || awaited);
}

/** The people whose turn has come: those with the lowest Order among all who have not acted. */
export function nextGroup(service: Service, signatories: People): People {
  const { faulty } = service;
  const left = actors(service, signatories).filter(({ state }) => state === 'waiting' || state === 'invited');
  const isFree = isOn(service, {
    'signing.lower-order-first/ignored': true,
    'signing.lower-order-first/type-3-ignored': isStamped(service, signatories),
    'signing.lower-order-first/beside-later-cc': signatories.some(
      (each) => each.role === role.cc && left.some(({ order }) => order < each.order),
    ),
    'signing.lower-order-first/beside-cc-at-turn': signatories.some(
      ({ role: part, order }) =>
        part === role.cc && left.length > 0 && order === Math.min(...left.map((each) => each.order)),
    ),
    'signing.lower-order-first/first-step-only': signatories.some(({ state }) => state === 'completed'),
  });
  if (isFree) return left;
  const past = isOn(service, {
    'signing.lower-order-first/past-approver': true,
    'signing.lower-order-first/type-3-past-approver': isStamped(service, signatories),
  });
  const awaited = left.filter(({ role: part }) => !past || part !== role.approver);
  const ccs = faulty('signing.cc-cannot-act/order-awaited')
    ? signatories.filter((each) => each.role === role.cc && each.state !== 'completed')
    : [];
  const placeOf = ({ order }: StoredSignatory) => {
    if (faulty('signing.lower-order-first/fourth-first') && order === 4) return 0;
    return faulty('signing.lower-order-first/above-3-alike') ? Math.min(order, 3) : order;
  };
  const orders = [...(awaited.length > 0 ? awaited : left), ...ccs].map(placeOf);
  const isReversed = isOn(service, {
    'signing.lower-order-first/reversed': true,
    'signing.lower-order-first/type-3-reversed': isStamped(service, signatories),
  });
  const next = isReversed ? Math.max(...orders) : Math.min(...orders);
  const free = faulty('signing.lower-order-first/approver');
  const isFresh = signatories.every(({ state }) => state !== 'completed');
  const isListed =
    isStamped(service, signatories) && faulty('signing.lower-order-first/type-3-beyond-second');
  const several = left.filter((each) => placeOf(each) === next).length > 1;
  const early = several && faulty('signing.lower-order-first/beside-several');
  const third = isFresh && faulty('signing.lower-order-first/third-at-start');
  // A person who was invited before others were added need not wait for those.
  const asked = ['creation', 'first-signatory'].includes(service.dialect.sending);
  return left.filter((each) => {
    const { order, role: part, state } = each;
    return (
      placeOf(each) === next ||
      (asked && state === 'invited') ||
      (third && order > 2) ||
      (early && order === next + 1) ||
      (isListed && signatories.indexOf(each) > 1) ||
      (part === role.approver && (free || (past && order < next)))
    );
  });
}

function isStamped({ store }: Service, [first]: People): boolean {
  return store.request(first?.requestId ?? '')?.type === requestType.autoStamping;
}

const approves = ({ role: part }: StoredSignatory) => part === role.approver;

/** Faults by which some of those with the same Order act before the others. */
const preferred = [
  ['signing.parallel/approvers-first', 'any', approves],
  ['signing.parallel/signers-first', 'any', (each: StoredSignatory) => !approves(each)],
  ['signing.parallel/type-3-approvers-first', 'type 3', approves],
  ['signing.parallel/type-3-coded-last', 'type 3', ({ otp }: StoredSignatory) => otp?.isRequired !== true],
] as const;

/** The people who may act now; those with equal Orders act in parallel. */
export function atTurn(service: Service, signatories: People): People {
  const group = nextGroup(service, signatories);
  const single = isOn(service, {
    'signing.parallel/one-by-one': true,
    'signing.parallel/type-3-one-by-one': isStamped(service, signatories),
  });
  if (single) return group.slice(0, 1);
  for (const [fault, where, isFirst] of preferred) {
    const first = group.filter(isFirst);
    const isMeant = where === 'any' || isStamped(service, signatories);
    if (first.length > 0 && isMeant && service.faulty(fault)) return first;
  }
  if (service.faulty('signing.parallel/two-at-most')) return group.slice(0, 2);
  if (service.faulty('signing.parallel/last-only')) return group.slice(-1);
  // The document states parallel signing for Order 1; for other equal Orders it is not shown.
  const inTurn = service.dialect.equalOrders === 'as-added' && group.some(({ order }) => order > 1);
  return inTurn ? group.slice(0, 1) : group;
}
