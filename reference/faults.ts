/** The catalogue of faults: deliberate violations of one requirement each, on which the suite is proved. */
import { accessFaults, malformedFaults } from './faults/access.ts';
import { eventFaults } from './faults/events.ts';
import { otpFaults } from './faults/otp.ts';
import { signatoryFaults } from './faults/signatory.ts';
import { signingFaults } from './faults/signing.ts';
import { skeletonFaults } from './faults/skeleton.ts';
import { createFaults, stampingFaults } from './faults/stamping.ts';
import { uploadFaults } from './faults/upload.ts';

const entries = {
  ...accessFaults,
  ...uploadFaults,
  ...malformedFaults,
  ...skeletonFaults,
  ...signatoryFaults,
  ...otpFaults,
  ...createFaults,
  ...stampingFaults,
  ...signingFaults,
  ...eventFaults,
} as const;

/** The id of a fault in the catalogue; any other string does not compile where one is asked for. */
export type FaultId = keyof typeof entries;

/** The requirements that have a fault `<id>/What`, for instance `Having<'422'>`. */
export type Having<What extends string> = FaultId extends infer Id
  ? Id extends `${infer Requirement}/${What}`
    ? Requirement
    : never
  : never;

interface Fault {
  readonly requirement: string;
  /** What the service does, as a sentence in the present tense. */
  readonly title: string;
}

/** Every fault by id (`<requirement id>/<what>`). */
export const faults: Readonly<Record<FaultId, Fault>> = Object.fromEntries(
  Object.entries(entries).map(([id, title]) => [id, { requirement: id.slice(0, id.indexOf('/')), title }]),
) as Record<FaultId, Fault>;

const byRequirement = new Map<string, FaultId[]>();
for (const [id, { requirement }] of Object.entries(faults) as [FaultId, Fault][])
  byRequirement.set(requirement, [...(byRequirement.get(requirement) ?? []), id]);

/** The faults of a requirement. Every refusal asks for them. */
export const faultsOf = (requirement: string): readonly FaultId[] => byRequirement.get(requirement) ?? [];

/** Whether a string is the id of a fault; narrows it. */
export const isFaultId = (id: string): id is FaultId => Object.hasOwn(faults, id);

/** Tells whether a fault is on; rules ask it. */
export type Faulty = (id: FaultId) => boolean;

/** A predicate for the faults that are on. Throws when one of them does not exist. */
export function faultSwitch(on: readonly string[]): Faulty {
  const unknown = on.filter((id) => !isFaultId(id));
  if (unknown.length > 0) throw new Error(`faults: no fault is called ${unknown.join(', ')}`);
  return (id) => on.includes(id);
}
