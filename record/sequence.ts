/** An explored sequence as data: a signature request as it is made, and what is done with it, step by step. */
import { type Static, Type } from '@sinclair/typebox';
import { type Role, role } from '../openapi/codes.ts';
import { ConfigurationError } from './errors.ts';
import { readOwnJson } from './own-files.ts';
import { asFile, type DeepReadonly, literals, object, optional } from './schema-parts.ts';

/** Bounds of a sequence, all included: longer ones show nothing new, and cost a target more. */
export const most = { people: 8, documents: 3, steps: 40 } as const;

const position = Type.Integer({ minimum: 0, maximum: most.people - 1 });
const otp = Type.Integer({ minimum: 1, maximum: 4 });
/** Flows have one of two digits, which a service may compare as a text. */
const order = Type.Integer({ minimum: 1, maximum: 99 });
const roleName = literals(Object.keys(role) as (keyof typeof role)[]);

const person = object({
  role: roleName,
  order,
  otp: optional(otp),
  idleOtp: optional(Type.Integer({ ...otp, description: 'Type beside IsRequired false.' })),
  privateMessage: optional(
    Type.Union([Type.Literal(true), literals(['de', 'el', 'ja'])], {
      description: 'true: in English; otherwise in the language of this code.',
    }),
  ),
  color: optional(Type.Literal(true)),
});

/** One kind of step. `beside`: it is done to a second request with the same people. */
const step = <Do extends string, Facts extends Parameters<typeof Type.Object>[0]>(does: Do, facts: Facts) =>
  object({ do: Type.Literal(does), ...facts, beside: optional(Type.Literal(true)) });

/** Calls that have to be refused, by what is wrong with them, and the operation that each calls. */
export const refusals = {
  'no Title': 'createSkeletonRequest',
  'no AuditDetails': 'createSkeletonRequest',
  'an unknown document token': 'createSkeletonRequest',
  'no Name': 'addSignatory',
  'no Order': 'addSignatory',
  'no MobileNumber': 'addSignatory',
  'no access token': 'addSignatory',
  'an unknown access token': 'addSignatory',
  'an expired access token': 'addSignatory',
} as const;

export type Refusal = keyof typeof refusals;

const steps = Type.Union([
  step('send', {}),
  // Somebody acts: as the role says, or with the other act (`as`).
  step('act', {
    who: position,
    as: optional(literals(['sign', 'approve'])),
    // Absent: the codes that are required. `other`: the code of somebody else; `old`: codes that were sent before the newest one.
    code: optional(literals(['none', 'wrong', 'other', 'old'])),
    of: optional(position),
  }),
  // Several people act at the same moment, or one acts twice.
  step('together', { who: Type.Array(position, { minItems: 2, maxItems: most.people }) }),
  step('code', { who: position }), // The person asks for a new code.
  step('view', { who: position }),
  step('lull', {}), // Nobody does anything for a moment.
  step('refused', { call: literals(Object.keys(refusals) as Refusal[]) }),
  step('create', { type: Type.Union([Type.Literal(1), Type.Literal(2)]) }), // Another request is created.
  step('add', { role: roleName, order }), // A signatory is added after sending or deletion.
  step('delete', {}),
]);

export const sequenceSchema = asFile(
  {
    people: Type.Array(person, { minItems: 1, maxItems: most.people }),
    documents: Type.Array(literals(['page', 'pages', 'mixed', 'docx', 'doc']), {
      minItems: 1,
      maxItems: most.documents,
    }),
    subscription: optional(
      Type.Array(Type.Integer({ minimum: 0, maximum: 3 }), { minItems: 1, maxItems: 4 }),
    ),
    attached: optional(Type.Boolean()),
    listenerAway: optional(
      Type.Integer({ minimum: 1, maximum: 5, description: 'Deliveries that are answered with 503.' }),
    ),
    stamped: optional(
      Type.Literal(true, { description: 'The request is of type 3: it has its people at once.' }),
    ),
    neighbour: optional(Type.Literal(true, { description: 'A second request with the same people.' })),
    steps: Type.Array(steps, { maxItems: most.steps }),
  },
  'An explored sequence (--replay-sequence)',
);

export type Sequence = DeepReadonly<Static<typeof sequenceSchema>>;
export type Step = Sequence['steps'][number];
export type SequencePerson = Sequence['people'][number];
export type RoleName = SequencePerson['role'];

export const roleOf = (name: RoleName): Role => role[name];

/** The sequence in a file. @throws ConfigurationError when there is none, or a step names somebody it does not have */
export function readSequence(path: string): Sequence {
  const sequence: Sequence = readOwnJson('sequence', path, sequenceSchema);
  for (const [index, each] of sequence.steps.entries()) {
    const named = [
      ...('who' in each ? [each.who].flat() : []),
      ...('of' in each && each.of !== undefined ? [each.of] : []),
    ];
    const unknown = named.find((who) => who >= sequence.people.length);
    if (unknown === undefined) continue;
    throw new ConfigurationError(
      `${path}: /steps/${index} names person ${unknown} (from 0), and there are ${sequence.people.length}`,
    );
  }
  return sequence;
}

/**
 * How long a sequence is: creation, each person and each step count as one; creation and people twice with a second request. In
 * type 3 the one call that creates a request brings its people and sends it.
 */
export function lengthOf({ people, steps: all, neighbour, stamped }: Sequence): number {
  const done = stamped ? all.filter((each) => each.do !== 'send') : all;
  return (neighbour ? 2 : 1) * (1 + (stamped ? 0 : people.length)) + done.length;
}

/** The creation, the people and the steps in words, one line each; in type 3 the people stand in the line of the creation. */
export function sequenceLines(sequence: Sequence): readonly string[] {
  const { people, documents, subscription, attached, listenerAway, neighbour, stamped } = sequence;
  // A request of type 3 is sent with its creation.
  const all = sequence.steps.filter((each) => !stamped || each.do !== 'send');
  const facts = [
    `documents: ${documents.join(', ')}`,
    subscription ? `CallbackTypes [${subscription.join(', ')}]` : 'no CallbackUrl',
    ...(attached === undefined ? [] : [`CompletedDocumentsAttached ${attached}`]),
    ...(listenerAway ? [`the first ${listenerAway} callbacks are answered with 503`] : []),
  ];
  const created = stamped
    ? [
        `a request of type 3 is created (${facts.join('; ')}), with ${people.map((each, index) => `${signatory(sequence, index)}${detailsOf(each)}`).join(', ')}`,
      ]
    : [
        `${neighbour ? 'two requests with the same people are' : 'a request is'} created (${facts.join('; ')})`,
        ...people.map((each, index) => `${signatory(sequence, index)} is added${detailsOf(each)}`),
      ];
  return [
    ...created,
    ...all.map((each, index) => {
      const text = stepText(sequence, each);
      const again = each.do === 'act' && all.slice(0, index).some((one) => stepText(sequence, one) === text);
      return again ? `${text} again` : text;
    }),
  ];
}

function detailsOf({ otp: type, idleOtp, privateMessage, color }: SequencePerson): string {
  const details = [
    ...(type === undefined ? [] : [`OTP Type ${type}`]),
    ...(idleOtp === undefined ? [] : [`OTP Type ${idleOtp}, not required`]),
    ...(privateMessage ? [`PrivateMessage${privateMessage === true ? '' : ` (${privateMessage})`}`] : []),
    ...(color ? ['Color'] : []),
  ];
  return details.length > 0 ? ` (${details.join(', ')})` : '';
}

function signatory({ people }: Sequence, index: number): string {
  const person = people[index];
  return person ? `${person.role} ${index + 1} (order ${person.order})` : `signatory ${index + 1}`;
}

const codeWords = {
  none: 'without the code',
  wrong: 'with a wrong code',
  other: 'with the code of somebody else',
  old: 'with the code before the newest',
} as const;

export const isTwice = ({ who }: Extract<Step, { do: 'together' }>): boolean => new Set(who).size === 1;

function stepText(sequence: Sequence, each: Step): string {
  const about = (index: number) => signatory(sequence, index);
  const where = each.beside ? ', in the second request' : '';
  switch (each.do) {
    case 'send':
      return `the request is sent${where}`;
    case 'act': {
      const { role, otp } = sequence.people[each.who] ?? {};
      const own = role === 'approver' ? 'approve' : 'sign';
      // In a sequence that was made shorter, somebody may be asked for no code any more.
      const isPlain = each.code === undefined || (each.code === 'none' && otp === undefined);
      const code = isPlain ? '' : ` ${codeWords[each.code]}`;
      return `${about(each.who)} ${each.as ?? own}s${code}${where}`;
    }
    case 'together':
      return `${[...new Set(each.who)].map(about).join(' and ')} ${isTwice(each) ? 'acts twice' : 'act'} at the same moment${where}`;
    case 'code':
      return `${about(each.who)} asks for a code${where}`;
    case 'view':
      return `${about(each.who)} looks at the page${where}`;
    case 'lull':
      return `nobody does anything for a moment${where}`;
    case 'refused':
      return `a call with ${each.call} is made${where}`;
    case 'create':
      return `another request is created, of type ${each.type}${where}`;
    case 'add':
      return `one more ${each.role} is added (order ${each.order})${where}`;
    case 'delete':
      return `the request is deleted${where}`;
  }
}
