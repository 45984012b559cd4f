/** Decides which events are sent for a request, and where (section "Events"). */
import { type EventCode, event, requestType, role } from '../openapi/codes.ts';
import type { FaultId } from './faults.ts';
import type { StoredRequest, StoredSignatory } from './model.ts';
import { isOn } from './rules.ts';
import type { Service } from './service.ts';

/** Faults by which an event is sent with the code of another one, each with when it is if not always. */
const sentAs: readonly (readonly [
  FaultId,
  of: EventCode,
  as: EventCode,
  when?: (s: Situation) => boolean,
])[] = [
  ['events.request-received/as-2', event.requestReceived, event.signatoryCompleted],
  ['events.request-received/as-3', event.requestReceived, event.processCompleted],
  ['events.signatory-completed/as-1', event.signatoryCompleted, event.requestReceived],
  ['events.signatory-completed/as-3', event.signatoryCompleted, event.processCompleted],
  ['events.process-completed/as-2', event.processCompleted, event.signatoryCompleted],
  [
    'events.request-received/attached-as-2',
    event.requestReceived,
    event.signatoryCompleted,
    ({ request }) => request.completedDocumentsAttached,
  ],
  [
    'events.signatory-completed/coded-as-1',
    event.signatoryCompleted,
    event.requestReceived,
    ({ who }) => who?.otp?.isRequired === true,
  ],
  [
    'events.signatory-completed/second-as-3',
    event.signatoryCompleted,
    event.processCompleted,
    ({ people }) => people.filter(hasActed).length === 2,
  ],
  [
    'events.process-completed/alone-as-1',
    event.processCompleted,
    event.requestReceived,
    ({ people }) => people.length === 1,
  ],
];

interface Situation {
  readonly request: StoredRequest;
  readonly people: readonly StoredSignatory[];
  readonly who: StoredSignatory | undefined;
}

const hasActed = ({ state }: StoredSignatory) => state === 'completed';

/** Queues the callback of an event, where the request subscribed to it. Part of the caller's transaction. */
export function notify(
  service: Service,
  request: StoredRequest,
  code: EventCode,
  signatory?: StoredSignatory,
): void {
  const { faulty, dialect } = service;
  const [first = code, ...others] = request.callbackTypes;
  const isLost = isOn(service, {
    'events.request-received/lost': code === event.requestReceived,
    'events.signatory-completed/lost': code === event.signatoryCompleted,
    'events.process-completed/lost': code === event.processCompleted,
    'events.request-received/beside-another': code === event.requestReceived && others.length === 1,
    'events.request-received/alone-lost': code === event.requestReceived && others.length === 0,
    'events.request-received/behind-higher': code === event.requestReceived && first > code,
    'events.request-received/with-code':
      code === event.requestReceived &&
      service.store.signatories(request.id).some(({ otp }) => otp?.isRequired === true),
  });
  const does = (what: 'loses' | 'sends') => service.combined.does(what, request, { code, who: signatory });
  if (isLost || does('loses')) return;
  if (request.type !== requestType.skeleton && dialect.eventsOfOtherTypes === 'none') return;
  const url = request.callbackUrl ?? foreignUrl(service, request);
  if (url === null) return;
  const ofUrl = faulty('events.signatory-completed/codes-of-url') ? latestAlike(service, request) : request;
  const subscribed = ofUrl.callbackTypes.includes(code) || request.callbackUrl === null;
  const isFirst = service.store.signatories(request.id).filter(hasActed).length <= 1;
  const unasked = isOn(service, {
    'events.only-subscribed/ignored': true,
    'events.only-subscribed/2-of-approver':
      code === event.signatoryCompleted && signatory?.role === role.approver,
    'events.only-subscribed/3-beside-1-and-2':
      code === event.processCompleted && ofUrl.callbackTypes.join() === '1,2',
    'events.only-subscribed/2-of-later': code === event.signatoryCompleted && !isFirst,
  });
  if (!subscribed && !unasked && !does('sends')) return;
  const astray = faulty('events.to-callback-url/other-request');
  const latest = astray ? latestUrl(service, request) : null;
  const target = targetOf(service, latest ?? url);
  const times = dialect.callbackTwice ? 2 : 1;
  const situation = { request, people: service.store.signatories(request.id), who: signatory };
  const isSentSo = ([fault, of, , when]: (typeof sentAs)[number]) =>
    of === code && faulty(fault) && (when?.(situation) ?? true);
  const [, , sent = code] = sentAs.find(isSentSo) ?? [];
  service.callbacks.add(
    { requestId: request.id, event: sent, signatory: signatory?.position ?? null, url: target },
    times,
  );
}

/** For the fault that notifies without CallbackUrl: the URL of another request, if possible of one that was sent. */
function foreignUrl(service: Service, request: StoredRequest): string | null {
  if (request.type !== requestType.skeleton || !service.faulty('events.optional/notified')) return null;
  // If others are slow, none of them may have been sent yet.
  return latestUrl(service, request, true) ?? latestUrl(service, request);
}

function latestAlike({ store }: Service, request: StoredRequest): StoredRequest {
  return store.requests.all().findLast(({ callbackUrl }) => callbackUrl === request.callbackUrl) ?? request;
}

function latestUrl({ store }: Service, { account }: StoredRequest, sent = false): string | null {
  const isMeant = (each: StoredRequest) =>
    each.account === account && each.callbackUrl !== null && !(sent && each.state === 'draft');
  return store.requests.all().findLast(isMeant)?.callbackUrl ?? null;
}

/** CallbackUrl as it was given, its query string included. */
function targetOf({ faulty }: Service, given: string): string {
  const url = new URL(given);
  if (faulty('events.to-callback-url/decoded')) return decodeURIComponent(given);
  if (faulty('events.to-callback-url/slash-added')) return given.replace(/(?=\?|$)/, '/');
  if (faulty('events.to-callback-url/empty-dropped')) return given.replaceAll(/(?<=[?&])\w+=(?:&|$)/g, '');
  if (faulty('events.to-callback-url/query-dropped')) url.search = '';
  if (faulty('events.to-callback-url/repeated-dropped'))
    url.search = new URLSearchParams(Object.fromEntries(url.searchParams)).toString();
  if (faulty('events.to-callback-url/path-cut')) url.pathname = url.pathname.replace(/\/[^/]*\/?$/, '/');
  return url.href === new URL(given).href ? given : url.href;
}
