/** Where rules are enforced. The id of a fault, `<requirement>/<what>`, says how it changes a refusal. */
import { STATUS_CODES } from 'node:http';
import { requestType } from '../openapi/codes.ts';
import { inType3 } from './faults/kinds.ts';
import { type FaultId, faultsOf, type Having } from './faults.ts';
import type { Service } from './service.ts';

/** The message for each status, from the document (section "Errors") or from HTTP; RFC 9110 has newer names than Node. */
const phrases: Readonly<Record<number, string | undefined>> = {
  ...STATUS_CODES,
  413: 'Content Too Large',
  422: 'Unprocessable Content',
};

export class Refusal extends Error {
  readonly status: number;
  /** The message of the document or of HTTP. */
  readonly title: string;
  readonly detail: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly #words: Words;

  constructor(status: number, words: Words & { readonly headers?: Readonly<Record<string, string>> } = {}) {
    const title = words.message ?? phrases[status] ?? `Status ${status}`;
    // Programs see only this message.
    super(words.detail === undefined ? title : `${title}: ${words.detail}`);
    this.name = 'Refusal';
    this.status = status;
    this.title = title;
    this.detail = words.detail;
    this.headers = words.headers ?? {};
    this.#words = words;
  }

  /** The refusal with another status; with a 5xx its words are dropped. */
  as(status: number): Refusal {
    const { message, detail } = this.#words;
    return new Refusal(status, status >= 500 ? {} : { message, detail });
  }
}

interface Words {
  /** The message of the document or of HTTP; the phrase of the status when it is left out. */
  readonly message?: string;
  /** The particular mistake. */
  readonly detail?: string;
}

/** The 400 of section "Errors": a body that misses required fields or is malformed. */
export const badRequest = (detail: string): Refusal => new Refusal(400, { detail });

/** What the state of a request does not allow. */
export function conflict({ dialect }: Service, detail: string): Refusal {
  return new Refusal(dialect.conflictStatus, { detail });
}

/** Fields with two rules, `<field>-required` and `<field>-type`: that they are there, and their JSON type. */
export type RuledField =
  Having<'null-accepted'> extends infer Rule ? (Rule extends `${infer Field}-type` ? Field : never) : never;
/** Rules about the JSON type of an optional field. */
export type OptionalTypeRule = Having<'accepted'>;
/** Faults that accept what a rule refuses. */
type Passing = Extract<FaultId, `${string}accepted`>;

/** Refuses, unless the fault `passing` is on; another fault of its rule may change the status. */
export function refuse(service: Service, refusal: Refusal, passing: Passing): void {
  if (!service.faulty(passing)) throw refusalBy(service, requirementOf(passing), refusal);
}

/** The refusal; a fault of the requirement may give it another status. */
export function refusalBy({ faulty }: Service, requirement: string, refusal: Refusal): Refusal {
  const other = faultsOf(requirement).filter(faulty).map(statusOf).find(Boolean);
  return other ? refusal.as(other) : refusal;
}

/** The status in the name of a fault, such as `otp.type-values/500`; 0 where it names none. */
const statusOf = (fault: FaultId) => Number(/\/([45]\d\d)$/.exec(fault)?.[1] ?? 0);

/** Applies a fault that refuses what has to be accepted: with 400, or with the status in its name. */
export function refuseFaultily({ faulty }: Service, fault: FaultId, when: boolean): void {
  if (!when || !faulty(fault)) return;
  throw statusOf(fault) ? new Refusal(statusOf(fault)) : badRequest('Not supported');
}

/** The same for several faults, each with whether it applies here. */
export function refuseEach(service: Service, faults: Where): void {
  for (const [fault, when] of Object.entries(faults)) refuseFaultily(service, fault as FaultId, when);
}

/** Whether one of these faults is on and applies here. */
export function isOn({ faulty }: Pick<Service, 'faulty'>, faults: Where): boolean {
  return Object.entries(faults).some(([fault, here]) => here && faulty(fault as FaultId));
}

/** Whether a request is one of type 3. */
export function isType3({ store }: Service, requestId: string | undefined): boolean {
  return store.request(requestId ?? '')?.type === requestType.autoStamping;
}

/** The faults for a request: in one of type 3 a fault also counts as on if its twin for type 3 is. */
export function faultsIn(service: Service, requestId: string | undefined): Pick<Service, 'faulty'> {
  const { faulty } = service;
  if (!isType3(service, requestId)) return service;
  return { faulty: (id) => faulty(id) || faulty(inType3(id) as FaultId) };
}

/** Faults, each with whether it applies here. */
type Where = Readonly<Partial<Record<FaultId, boolean>>>;

const requirementOf = (fault: FaultId): string => fault.slice(0, fault.indexOf('/'));
