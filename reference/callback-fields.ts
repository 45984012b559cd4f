/** CallbackUrl and CallbackTypes of a creation body (section "Events"). */
import { type EventCode, event } from '../openapi/codes.ts';
import { post } from './callbacks/destination.ts';
import type { Fields } from './fields.ts';
import { isOn, Refusal, refuse, refuseEach, refuseFaultily } from './rules.ts';
import type { Service } from './service.ts';

const everyEvent = [event.requestReceived, event.signatoryCompleted, event.processCompleted] as const;

export function readSubscription(fields: Fields, service: Service) {
  const { dialect } = service;
  const callbackUrl = readCallbackUrl(fields, service);
  const codes = readCodes(fields, service);
  if (callbackUrl === null) {
    if (codes !== null && dialect.callbackTypesWithoutUrl === 'refused')
      throw fields.refusal(400, 'CallbackTypes without CallbackUrl');
    return { callbackUrl, callbackTypes: [] };
  }
  if (codes === null)
    return { callbackUrl, callbackTypes: typesWithout(dialect.callbackTypesMissing, fields) };
  if (codes.length === 0)
    return { callbackUrl, callbackTypes: typesWithout(dialect.callbackTypesEmpty, fields) };
  const asAll = isOn(service, {
    'events.only-subscribed/two-as-all': codes.length === 2,
    'events.only-subscribed/1-as-all': codes.join() === String(event.requestReceived),
  });
  return { callbackUrl, callbackTypes: asAll ? everyEvent : spelledOut(codes, service) };
}

/** The subscribed codes, with 0 replaced by every other code. */
function spelledOut(codes: readonly EventCode[], { faulty }: Service): readonly EventCode[] {
  if (!codes.includes(event.all)) return codes;
  if (faulty('events.all/as-none')) return codes.filter((code) => code !== event.all);
  // The code 0 stays in the list, so that it shows that the others come from it.
  if (faulty('events.all/first-only')) return [event.all, ...everyEvent];
  return everyEvent.filter((code) => !faulty(`events.all/without-${code}`));
}

function typesWithout(how: 'all' | 'none' | 'refused', fields: Fields): readonly EventCode[] {
  if (how === 'refused') throw fields.refusal(400, 'CallbackTypes names no event');
  return how === 'all' ? everyEvent : [];
}

function readCallbackUrl(fields: Fields, service: Service): string | null {
  const given = fields.optionalText('CallbackUrl', 'skeleton.callback-url-type');
  if (given === null) return null;
  refuseFaultily(service, 'skeleton.callback-url/refused', true);
  const schemes = service.dialect.callbackUrlSchemes === 'https' ? ['https:'] : ['https:', 'http:'];
  if (!URL.canParse(given) || !schemes.includes(new URL(given).protocol))
    throw fields.refusal(400, `CallbackUrl is not a URL with ${schemes.join(' or ')}`);
  return given;
}

/** "Publicly reachable": for the dialect that checks whether anybody answers there, with any status. */
export async function judgeReachable(url: string | null, { dialect }: Service): Promise<void> {
  if (url === null) return;
  const limits = { timeoutMs: 10_000, networks: dialect.callbackNetworks, method: 'HEAD' } as const;
  try {
    await post(url, {}, Buffer.alloc(0), limits, AbortSignal.timeout(limits.timeoutMs));
  } catch (error) {
    const why = error instanceof Error ? error.name : 'failed';
    throw new Refusal(400, { detail: `CallbackUrl cannot be reached (${why})` });
  }
}

function readCodes(fields: Fields, service: Service): readonly EventCode[] | null {
  const list = fields.optionalList('CallbackTypes', 'skeleton.callback-types-type');
  if (list === null) return null;
  refuseEach(service, {
    'skeleton.callback-types/first-two-refused': list.join() === '1,2',
    'skeleton.callback-types/3-alone-refused': list.join() === '3',
    'skeleton.callback-types/unsorted-refused': list.some((code, at) => Number(code) < Number(list[at - 1])),
  });
  const isFirstAlone = service.faulty('skeleton.callback-types-type/second-item-accepted');
  const codes = list.flatMap((code, at) => {
    if (typeof code !== 'number' || !Number.isInteger(code)) {
      if (at > 0 && isFirstAlone) return [];
      const refused = fields.wrongType('CallbackTypes', 'an array of integers');
      refuse(service, refused, 'skeleton.callback-types-type/accepted');
      return [];
    }
    if (isEventCode(code)) {
      refuseFaultily(service, `skeleton.callback-types/${code}-refused`, true);
      return [code];
    }
    if (service.dialect.callbackTypesUnknown === 'ignored') return [];
    throw fields.refusal(service.dialect.valueStatus, `CallbackTypes: no event has the code ${code}`);
  });
  if (service.faulty('skeleton.callback-types/first-alone-counts')) return codes.slice(0, 1);
  return service.faulty('skeleton.callback-types/last-alone-counts') ? codes.slice(-1) : codes;
}

const isEventCode = (code: number): code is EventCode => code >= event.all && code <= event.processCompleted;
