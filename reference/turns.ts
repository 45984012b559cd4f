/** Who acts, and whose turn it is (sections "SignatoryType values" and "Signatory": Order). */
import { role } from '../openapi/codes.ts';
import type { StoredSignatory } from './model.ts';
import { faultsIn, isOn, isType3 } from './rules.ts';
import type { Service } from './service.ts';

type People = readonly StoredSignatory[];

/** Signers and approvers; a CC cannot act. */
export function actors(service: Service, signatories: People): People {
  const awaited = isOn(service, {
    'signing.cc-cannot-act/never-completes': true,
    'signing.cc-cannot-act/type-3-as-approver': isType3(service, signatories[0]?.requestId),
  });
  return signatories.filter((signatory) => signatory.role !== role.cc || awaited);
}

/** The people whose turn has come: those with the lowest Order among all who have not acted. */
export function nextGroup(service: Service, signatories: People): People {
  const requestId = signatories[0]?.requestId;
  const here = faultsIn(service, requestId);
  const { faulty } = here;
  const left = actors(service, signatories).filter(({ state }) => state === 'waiting' || state === 'invited');
  const ccs = signatories.filter((each) => each.role === role.cc);
  const lowest = Math.min(...left.map(({ order }) => order));
  const isFree = isOn(here, {
    'signing.lower-order-first/ignored': true,
    'signing.lower-order-first/type-3-two-documents':
      isType3(service, requestId) && service.store.request(requestId ?? '')?.documents.length === 2,
    'signing.lower-order-first/beside-later-cc': ccs.some(({ order }) => order > lowest),
    'signing.lower-order-first/beside-cc-at-turn': ccs.some(({ order }) => order === lowest),
    'signing.lower-order-first/after-one-of-several': signatories.some(
      ({ state, order }) => state === 'completed' && order === lowest,
    ),
    'signing.lower-order-first/first-step-only': signatories.some(({ state }) => state === 'completed'),
    'signing.lower-order-first/past-wrong-code': left.some(
      ({ id, order }) => order === lowest && service.combined.timesRefused(requestId ?? '', `code ${id}`) > 0,
    ),
  });
  if (isFree) return left;
  if (isType3(service, requestId) && faulty('signing.lower-order-first/type-3-as-listed'))
    return left.slice(0, 1);
  const past = faulty('signing.lower-order-first/past-approver');
  const awaited = left.filter(({ role: part }) => !past || part !== role.approver);
  const rankOf = ({ order }: StoredSignatory) => {
    if (faulty('signing.lower-order-first/fourth-first') && order === 4) return 0;
    if (faulty('signing.lower-order-first/as-text')) return Number(`0.${order}`);
    return faulty('signing.lower-order-first/above-3-alike') ? Math.min(order, 3) : order;
  };
  const waiting = faulty('signing.cc-cannot-act/order-awaited') ? ccs : [];
  const orders = [...(awaited.length > 0 ? awaited : left), ...waiting].map(rankOf);
  const next = faulty('signing.lower-order-first/reversed') ? Math.max(...orders) : Math.min(...orders);
  const isFresh = signatories.every(({ state }) => state !== 'completed');
  const isListed = isType3(service, requestId) && faulty('signing.lower-order-first/type-3-beyond-second');
  const several = left.filter((each) => rankOf(each) === next).length > 1;
  const early = several && faulty('signing.lower-order-first/beside-several');
  const third = isFresh && faulty('signing.lower-order-first/third-at-start');
  // Somebody who was invited before others were added need not wait for these.
  const asked = ['creation', 'first-signatory'].includes(service.dialect.sending);
  return left.filter((each) => {
    const { order, role: part, state } = each;
    return (
      rankOf(each) === next ||
      (asked && state === 'invited') ||
      (third && order > 2) ||
      (early && order === next + 1) ||
      (isListed && signatories.indexOf(each) > 1) ||
      (part === role.approver && past && order < next)
    );
  });
}

export function isAtTurn(service: Service, { position, requestId }: StoredSignatory): boolean {
  return atTurn(service, service.store.signatories(requestId)).some((each) => each.position === position);
}

/** The people who may act now; those with equal Orders act in parallel. */
function atTurn(service: Service, signatories: People): People {
  const requestId = signatories[0]?.requestId;
  const { faulty } = faultsIn(service, requestId);
  const isLost = (each: StoredSignatory) =>
    faulty('signing.signer-signs/fifth-never-asked') && signatories.indexOf(each) === 4;
  const group = nextGroup(service, signatories).filter((each) => !isLost(each));
  if (faulty('signing.parallel/one-by-one')) return group.slice(0, 1);
  const approvers = group.filter((each) => each.role === role.approver);
  if (approvers.length > 0 && faulty('signing.parallel/approvers-first')) return approvers;
  const halves = [true, false].map((coded) =>
    group.filter(({ otp }) => (otp?.isRequired === true) === coded),
  );
  const [coded = [], uncoded = []] = halves;
  if (uncoded.length > 0 && faulty('signing.parallel/coded-last')) return uncoded;
  if (coded.length > 0 && faulty('signing.parallel/uncoded-last')) return coded;
  const isBeforeOthers = group.some(({ order }) => signatories.some((other) => other.order > order));
  if (isBeforeOthers && faulty('signing.parallel/before-later-order')) return group.slice(0, 1);
  const acting = actors(service, signatories);
  const isLate = acting.length > group.length && acting.every(({ order }) => order === acting[0]?.order);
  if (isLate && faulty('signing.parallel/nobody-after-first')) return [];
  if (faulty('signing.parallel/two-at-most')) return group.slice(0, 2);
  if (faulty('signing.parallel/last-only')) return group.slice(-1);
  // The document states parallel signing for Order 1; for other equal Orders it is not shown.
  const inTurn = service.dialect.equalOrders === 'as-added' && group.some(({ order }) => order > 1);
  return inTurn ? group.slice(0, 1) : group;
}
