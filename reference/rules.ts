/** Where rules are enforced. The id of a fault, `<requirement>/<what>`, says how it changes a refusal. */

import { message } from '../openapi/codes.ts';
import { type FaultId, type Having, otherStatuses } from './faults.ts';
import type { Service } from './service.ts';

/** The message for each status, from the document (section "Errors") or from HTTP. */
const phrases: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
  410: 'Gone',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
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
  readonly message?: string | undefined;
  /** The particular mistake. */
  readonly detail?: string | undefined;
}

/** Section "Errors": 404, with the message for what was not found. */
export function notFound(
  { faulty }: Pick<Service, 'faulty'>,
  what: 'document' | 'request',
  detail?: string,
): Refusal {
  const own = { document: message.documentNotFound, request: message.requestNotFound };
  const rule = { document: 'skeleton.unknown-document', request: 'signatory.unknown-request' } as const;
  if (faulty(`${rule[what]}-message/other`)) return new Refusal(404);
  if (what === 'document' && faulty('skeleton.unknown-document-message/of-request')) {
    return new Refusal(404, { message: own.request });
  }
  if (what === 'request' && faulty('signatory.unknown-request-message/of-document')) {
    return new Refusal(404, { message: own.document });
  }
  return new Refusal(404, { message: own[what], detail });
}

/** The 400 of section "Errors": a body that misses required fields or is malformed. */
export function badRequest(detail: string): Refusal {
  return new Refusal(400, { detail });
}

/** Fields with two rules, `<field>-required` and `<field>-type`: that they are there, and their JSON type. */
export type RuledField =
  Having<'null-accepted'> extends infer Rule ? (Rule extends `${infer Field}-type` ? Field : never) : never;
/** Rules about the JSON type of an optional field. */
export type OptionalTypeRule = Having<'accepted'>;
/** Faults that accept what a rule refuses. */
export type Passing = Extract<FaultId, `${string}accepted`>;

/** Refuses, unless the fault `passing` is on; another fault of its rule may change the status. */
export function refuse(service: Service, refusal: Refusal, passing: Passing): void {
  if (!service.faulty(passing)) throw refusalBy(service, requirementOf(passing), refusal);
}

/** The refusal of a requirement, with another status if a fault says so. */
export function refusalBy({ faulty }: Service, requirement: string, refusal: Refusal): Refusal {
  const other = otherStatuses(requirement).find(({ id }) => faulty(id));
  return other ? refusal.as(other.status) : refusal;
}

/** Applies a fault that refuses what has to be accepted: with 400, or with the status in its name. */
export function refuseFaultily({ faulty }: Service, fault: FaultId, when: boolean): void {
  if (!when || !faulty(fault)) return;
  const status = /\/(\d{3})$/.exec(fault)?.[1];
  throw status ? new Refusal(Number(status)) : badRequest('Not supported');
}

/** The same for several faults, each with whether it applies here. */
export function refuseEach(service: Service, faults: Where): void {
  for (const [fault, when] of Object.entries(faults)) refuseFaultily(service, fault as FaultId, when);
}

/** Whether one of these faults is on and applies here. */
export function isOn({ faulty }: Pick<Service, 'faulty'>, faults: Where): boolean {
  return Object.entries(faults).some(([fault, here]) => here && faulty(fault as FaultId));
}

export const keysOf = <Key extends string>(of: Readonly<Record<Key, unknown>>) => Object.keys(of) as Key[];

/** Faults, each with whether it applies here. */
type Where = Readonly<Partial<Record<FaultId, boolean>>>;

function requirementOf(fault: FaultId): string {
  return fault.slice(0, fault.indexOf('/'));
}
