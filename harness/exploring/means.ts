/** What can be explored with a profile, and about how many calls and messages that takes. */
import type { RequirementId } from '../../openapi/requirements/catalogue.ts';
import { lengthOf } from '../../record/sequence.ts';
import type { FlowParts } from '../flows/flow-parts.ts';
import { actsByIds } from '../people/template-call.ts';
import { canCallBack } from '../profile/needs.ts';
import { Drawing, isFull } from './choose.ts';
import type { Means } from './draw.ts';
import { callsOf } from './shrink.ts';

/** The parts of a run that decide what can be explored. */
interface MeansBasis extends Pick<FlowParts, 'profile'> {
  readonly facts: Pick<FlowParts['facts'], 'notApplicable'>;
  readonly driver: { readonly shows: boolean; readonly enter?: unknown };
  readonly outbox: Pick<FlowParts['outbox'], 'reads'>;
}

/** About how many calls and messages drawn sequences take at a target without mistakes, without the clean-up. */
export function plannedOf(basis: MeansBasis, seed: number, steps: number) {
  const drawing = new Drawing(seed, meansOf(basis));
  const planned = { calls: 0, requests: 0, documents: 0, signatories: 0, emails: 0, sms: 0 };
  for (let made = 0; !isFull(made, steps); ) {
    const sequence = drawing.next(steps - made);
    const { people, documents, neighbour } = sequence;
    const requests = neighbour ? 2 : 1;
    const beside = sequence.steps.filter((step) => step.do === 'create').length;
    const asked = sequence.steps.flatMap((step) =>
      'who' in step ? [people[[step.who].flat()[0] ?? 0]?.otp] : [],
    );
    made += lengthOf(sequence);
    const copies = basis.outbox.reads('email') ? people.filter(({ role }) => role === 'cc').length : 0;
    // Each PDF of a copy is fetched.
    planned.calls += Math.round(callsOf(sequence)) + copies * documents.length;
    planned.requests += requests + beside;
    planned.documents += requests * documents.length;
    planned.signatories += requests * people.length;
    // Each person gets an invitation or a copy, a message at the end, and codes.
    planned.emails += 2 * requests * people.length + asked.filter((otp) => otp === 1 || otp === 4).length;
    planned.sms += asked.filter((otp) => otp === 2 || otp === 4).length;
  }
  return planned;
}

/** What can be explored with a profile. */
export function meansOf({ profile, facts, driver, outbox }: MeansBasis): Means {
  const { signing, calls, limits } = profile;
  const applies = (id: RequirementId) => facts.notApplicable[id] === undefined;
  const signs = signing !== undefined && signing.driver !== 'manual' && applies('signing.signer-signs');
  const otp = [
    { type: 1, ids: ['otp.email', 'otp.email-delivered'], channels: ['email'] },
    { type: 2, ids: ['otp.sms', 'otp.sms-delivered'], channels: ['sms'] },
    { type: 3, ids: ['otp.access-code', 'otp.access-code-asked'], channels: [] },
    { type: 4, ids: ['otp.email-and-sms', 'otp.email-and-sms-delivered'], channels: ['email', 'sms'] },
  ] as const;
  const usable = otp.filter(
    ({ ids, channels }) => ids.every(applies) && channels.every((channel) => outbox.reads(channel)),
  );
  const types = (
    [
      { type: 1, of: 'template' },
      { type: 2, of: 'fixed' },
    ] as const
  ).filter(({ of }) => profile.create?.[of] !== undefined && applies(`create.${of}-200`));
  return {
    signs,
    approves: applies('signing.approver-approves'),
    views: driver.shows,
    deletes: calls?.deleteRequest !== undefined,
    neighbour: actsByIds(profile),
    callbacks: canCallBack(profile),
    stamps: applies('stamping.status-200'),
    expires: applies('signatory.token-expired'),
    otp: usable.map(({ type }) => type),
    enters: driver.enter !== undefined,
    people: Math.min(limits?.signatories ?? 6, 6),
    documents: limits?.documents ?? 3,
    formats: (['pdf', 'docx', 'doc'] as const).filter((format) => applies(`upload.${format}`)),
    creates: limits?.documentUses === undefined ? types.map(({ type }) => type) : [],
  };
}
