/** What the calls of each operation are made of. */
import type { OtpIngredients } from '../../generators/bodies/otp.ts';
import {
  type CallbackIngredients,
  maximalRequest,
  minimalRequest,
  plainMessage,
} from '../../generators/bodies/request.ts';
import { maximalSignatory, minimalSignatory } from '../../generators/bodies/signatory.ts';
import { fullStamped, minimalStamped, type StampedIngredients } from '../../generators/bodies/stamping.ts';
import { doc } from '../../generators/documents/committed.ts';
import type { DocumentSource, GeneratedDocument } from '../../generators/documents/document.ts';
import { docx } from '../../generators/documents/docx.ts';
import { plainPdf } from '../../generators/documents/pdf.ts';
import { alter } from '../../generators/ids.ts';
import { fictionalMobiles } from '../../generators/people.ts';
import type { Body } from '../../generators/row.ts';
import { otpType, requestType, role } from '../../openapi/codes.ts';
import type { RequirementId } from '../../openapi/requirements/catalogue.ts';
import { CouldNotRun } from '../../record/errors.ts';
import type { SharedCall } from '../../record/finding.ts';
import type { Authorization, Call } from '../target/call.ts';
import { filledCreation, peopleOf } from '../target/creation-body.ts';
import { type Check, NotApplicable } from './check.ts';
import { inRound, personAt, titleAt } from './names.ts';
import type { RunFacts, Session } from './session.ts';
import { fileOf } from './shared.ts';

/** A call without what the operation itself adds. */
export type Draft = Omit<Call, 'operation' | 'purpose' | 'check' | 'row'>;

/** A request that only this check uses: with the required fields alone, or with every optional field. */
export type OwnRequest = 'own' | 'full';

export interface Kind<Given, Input> {
  readonly operation: Call['operation'];
  /** The shared call that every row is held against. */
  readonly twin: SharedCall;
  /**
   * What the row makers need: titles, tokens, people.
   * @param again 0 for the first call of a row; each repetition uses other people and titles, since a service may
   *   refuse the same address twice
   */
  readonly ingredients: (run: CheckRun, again: number) => Promise<Given>;
  /** Put before the titles of rows where several operations share a check. */
  readonly label?: string;
  readonly draft: (
    input: Input,
    run: CheckRun,
    requestId: string | undefined,
    purpose: Call['purpose'],
  ) => Promise<Draft>;
  /** For calls that belong together: the id of a request that nobody else gets. @throws CouldNotRun where it has less room */
  readonly own?: (run: CheckRun, count: number, how?: OwnRequest) => Promise<string>;
  /** Calls that should be refused go to a request that already has somebody. */
  readonly beside?: true;
  /** An input that is accepted, for calls that differ elsewhere. */
  readonly valid: (given: Given) => Input | Promise<Input>;
  /** Other valid inputs, by what they are: a service may skip the access check for one format, role or field. */
  readonly alsoValid?: (given: Given) => Readonly<Record<string, () => Input | Promise<Input>>>;
}

/** A check that is under way in a run. */
export interface CheckRun {
  readonly session: Session;
  readonly facts: RunFacts;
  readonly check: Check;
  /** The requirement under whose name rows that several requirements judge are sent; repetitions are sent under the check's own. */
  readonly owner?: RequirementId;
}

export function creationWith(documentToken: string, { facts }: CheckRun): Call {
  const given = { title: titleAt(facts, `with ${documentToken}`), documents: [documentToken] };
  const body = { json: minimalRequest(given) };
  return {
    operation: 'createSkeletonRequest',
    purpose: 'cross-check',
    freshIds: true,
    deliberate: true,
    body,
  };
}

/** A call of another operation with that access token. If it is accepted, a document is uploaded at most. */
export async function elsewhere(
  operation: Call['operation'],
  authorization: Authorization | undefined,
  run: CheckRun,
): Promise<Call> {
  const how = { purpose: 'cross-check', authorization, deliberate: true } as const;
  if (operation === 'createSkeletonRequest') {
    const document = await uploading.valid(await uploading.ingredients(run, 1));
    return {
      ...how,
      operation: 'uploadDocument',
      ...(await uploading.draft(document, run, undefined, how.purpose)),
    };
  }
  const [known = ''] = await run.session.documents(1);
  return { ...creationWith(alter(known, run.facts.seed), run), ...how, freshIds: false };
}

function placeOf({ check, owner }: CheckRun, again: number): string {
  if (again > 0) return `${check.origin} again ${again}`;
  return owner === undefined ? check.origin : inRound(owner, check.round);
}

const ofJson = (body: Body): Pick<Draft, 'body'> => ({ body });

/** Endpoint 1. Rows are generated documents. */
export const uploading: Kind<DocumentSource, GeneratedDocument> = {
  operation: 'uploadDocument',
  twin: 'document',
  ingredients: async (run, again) => ({
    run: run.facts.runId,
    seed: run.facts.seed,
    name: placeOf(run, again),
  }),
  draft: async (document, { facts }) => {
    const most = facts.limits.uploadBytes ?? Number.POSITIVE_INFINITY;
    const { length } = document.bytes;
    if (length > most)
      throw new NotApplicable(
        `the document has ${length} bytes; the profile says limits.uploadBytes: ${most}`,
      );
    return { body: { file: fileOf(document) } };
  },
  valid: (source) => plainPdf(source),
  alsoValid: (source) => ({ 'a DOCX': () => docx(source), 'a DOC': () => doc(source) }),
};

/** Endpoint 4. */
export const skeletonCreation: Kind<CallbackIngredients, Body> = {
  operation: 'createSkeletonRequest',
  twin: 'skeleton',
  ingredients: async (run, again) => ({
    title: titleAt(run.facts, placeOf(run, again)),
    documents: await run.session.documents(2),
    callbackUrl: run.facts.callbackUrl,
  }),
  draft: async (body) => ofJson(body),
  valid: (given) => ({ json: minimalRequest({ ...given, documents: given.documents.slice(0, 1) }) }),
  alsoValid: (given) => ({ 'every field': () => ({ json: maximalRequest(given) }) }),
};

/** Endpoint 5. Every signatory goes to a request that has room, each person under an address of their own. */
export const signatoryAddition: Kind<OtpIngredients, Body> = {
  operation: 'addSignatory',
  twin: 'signatory',
  ingredients: async (run, again) => ({
    personOf: (place) => personAt(run.facts, placeOf(run, again), place),
    accessCode: run.facts.accessCode,
    ...(run.facts.people.mobileNumbers ? { mobileNumbers: labelled(run.facts.people.mobileNumbers) } : {}),
  }),
  draft: async (body, { session }, requestId, purpose) => ({
    body,
    // A cross-check goes to a request with nobody else, so that other people, the Order and the number of people
    // cannot be the reason of a refusal.
    requestId: requestId ?? (await session.request(purpose === 'cross-check' ? 'alone' : 1)),
  }),
  own: async ({ session, facts: { limits } }, count, how = 'own') => {
    if (count > (limits.signatories ?? count))
      throw new CouldNotRun(
        `needs a request with ${count} signatories, but limits.signatories is ${limits.signatories}`,
      );
    return session.request(how);
  },
  beside: true,
  valid: ({ personOf }) => ({ json: minimalSignatory({ person: personOf('denied') }) }),
  alsoValid: ({ personOf, mobileNumbers = fictionalMobiles }) => {
    const person = personOf('denied');
    const [MobileNumber = ''] = Object.values(mobileNumbers);
    const otp = { IsRequired: true, Type: otpType.sms, MobileNumber };
    return {
      'a CC': () => ({ json: minimalSignatory({ person, role: role.cc }) }),
      'an approver with every field': () => ({
        json: { ...maximalSignatory({ person, role: role.approver, order: 2 }), OTP: otp },
      }),
    };
  },
};

/** The profile's mobile numbers, labelled by their position: reports show the label, not the number. */
function labelled(numbers: readonly string[]): Record<string, string> {
  return Object.fromEntries(numbers.map((number, index) => [index === 0 ? 'us' : `${index + 1}`, number]));
}

const stampedIngredients = async (run: CheckRun, again: number, people = 3): Promise<StampedIngredients> => ({
  title: titleAt(run.facts, placeOf(run, again)),
  documents: await run.session.documents(2),
  people: Array.from({ length: Math.max(3, people) }, (_, index) =>
    personAt(run.facts, placeOf(run, again), `person ${index + 1}`),
  ),
});

const validStamped = (given: StampedIngredients): Body => ({
  json: minimalStamped({
    ...given,
    documents: given.documents.slice(0, 1),
    people: given.people.slice(0, 1),
  }),
});

/** Endpoint 3. */
export const stampedCreation: Kind<StampedIngredients, Body> = {
  operation: 'createStampedRequest',
  twin: 'stamped',
  ingredients: stampedIngredients,
  draft: async (body) => ofJson(body),
  valid: validStamped,
  alsoValid: (given) => ({
    'two signatories, one with an OTP, and two documents': () => ({ json: fullStamped(given) }),
  }),
};

/** Endpoint 2 with type 3, the one type whose body the document shows. */
export const unversionedCreation: Kind<StampedIngredients, Body> = {
  ...stampedCreation,
  label: 'type 3',
  alsoValid: () => ({}),
  operation: 'createRequest',
  twin: 'stamped-unversioned',
  draft: async (body) => ({ ...ofJson(body), type: 3 }),
};

/** Endpoint 2 with type 1 or 2, whose body the profile gives; `null` when it gives none. */
export function profiledCreation(
  name: 'template' | 'fixed',
  facts: RunFacts,
): Kind<StampedIngredients, Body> | null {
  const settings = facts.creations[name];
  if (!settings) return null;
  const type = name === 'template' ? requestType.template : requestType.fixed;
  return {
    operation: 'createRequest',
    twin: name,
    label: `type ${type}`,
    ingredients: (run, again) => stampedIngredients(run, again, peopleOf(settings)),
    draft: async (input) => ({ ...ofJson(input), type }),
    valid: (given) => ({ json: filledCreation(settings, { ...given, message: plainMessage }) }),
  };
}
