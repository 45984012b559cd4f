/** The file of accepted deviations: its shape, and the JSON Schema that is published for editors. */
import { type Static, Type } from '@sinclair/typebox';
import {
  asFile,
  atLeast,
  closed,
  type DeepReadonly,
  list,
  literals,
  nonEmpty,
  object,
  optional,
} from '../../record/schema-parts.ts';

const text = (description: string) => nonEmpty(description);

const pattern = (what: string) =>
  text(`Pattern for ${what}: \`*\` stands for any text, everything else for itself.`);

/** Ways to name failing rows: an entry has one of these, or a list. */
const kinds = [
  pattern('the title of a failing row'),
  Type.Object(
    {
      title: optional(pattern('the title of a failing row')),
      message: optional(pattern('the message of a failing row')),
    },
    {
      ...closed,
      minProperties: 1,
      description: 'Title and message of one failing row, as run.json has them.',
    },
  ),
] as const;

const accepted = {
  requirement: text('Id of the requirement that fails, such as otp.sms.'),
  targets: optional(
    Type.Array(pattern('the name of a target'), {
      minItems: 1,
      description: 'Names of the targets that this entry is about; without it, all of them.',
    }),
  ),
  link: optional(text('Where it is discussed: a ticket, a page.')),
  owner: text('Who follows it up: a person or a team.'),
  until: Type.String({
    format: 'date',
    description:
      'Last day on which it is accepted, as YYYY-MM-DD; from the next day on (UTC) it fails again.',
  }),
};

/** The lowest permitted rate: a lower one would need too many attempts. */
export const lowestRate = 0.1;

const deviationEntry = object({
  ...accepted,
  reason: text('Why the failure is accepted.'),
  match: optional(
    Type.Union([...kinds, Type.Array(Type.Union([...kinds]), { minItems: 1 })], {
      description: 'Only failing rows that match are accepted; without it, all rows of the requirement.',
    }),
  ),
});

const flakyEntry = object({
  ...accepted,
  reason: optional(text('What is known about it.')),
  rate: Type.Number({
    minimum: lowestRate,
    maximum: 0.5,
    description: 'Share of attempts that may fail, from 0.1 to 0.5.',
  }),
});

export const deviationsSchema = asFile(
  {
    deviations: optional(list(deviationEntry, 'Failures that are known and accepted until a date.')),
    flaky: optional(list(flakyEntry, 'Requirements that fail now and then, until a date.')),
  },
  'Accepted deviations of a target (deviations.yaml)',
);

/** What to do about an entry that is no longer needed. */
export const staleModes = ['fail', 'warn'] as const;
export type StaleMode = (typeof staleModes)[number];

export const listedSchema = object({
  list: literals(['deviations', 'flaky']),
  line: atLeast(1, 'Line of the file on which the entry begins.'),
  ...deviationEntry.properties,
  reason: optional(deviationEntry.properties.reason),
  rate: optional(flakyEntry.properties.rate),
});

export type Listed = DeepReadonly<Static<typeof listedSchema>>;
export type Match = Exclude<NonNullable<Listed['match']>, readonly unknown[]>;

export interface Deviations {
  readonly file: string;
  readonly stale: StaleMode;
  readonly entries: readonly Listed[];
}

/** Whether a text matches a pattern in which `*` stands for any text. Not by a regular expression: many `*` would take years. */
export function fits(pattern: string, given: string): boolean {
  const [first = '', ...others] = pattern.split('*');
  const last = others.pop();
  if (last === undefined) return given === pattern;
  if (!given.startsWith(first) || !given.endsWith(last)) return false;
  let at = first.length;
  for (const part of others) {
    const found = given.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return at + last.length <= given.length;
}
