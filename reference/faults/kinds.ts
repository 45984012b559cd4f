/** Faults derived from the kind of a rule: what a service may do instead of what the rule says. */

/** Titles of faults by id: `<requirement id>/<what>`. */
export type FaultEntries = Readonly<Record<`${string}.${string}/${string}`, string>>;

/** Outcomes that a fault may give: accepted, refused, or a status. */
type Outcome = 'accepted' | 'refused' | 422 | 500 | 400 | 410;

type Titles<Id extends string, What extends string | number> = Readonly<Record<`${Id}/${What}`, string>>;

/** Faults of a rule about `what`, one for each outcome that it forbids. */
export function instead<const Id extends string, const What extends readonly Outcome[]>(
  id: Id,
  what: string,
  ...outcomes: What
): Titles<Id, What[number]> {
  const title = (outcome: Outcome) =>
    `${what} is ${typeof outcome === 'number' ? 'answered with ' : ''}${outcome}`;
  const titles = Object.fromEntries(outcomes.map((outcome) => [outcome, title(outcome)]));
  return under(id, titles as Record<What[number], string>);
}

type OfRequired<Id extends string> = Titles<`${Id}-required`, 'accepted' | 422 | 500> &
  Titles<`${Id}-type`, 'null-accepted' | 'other-accepted' | 500>;

/**
 * Faults of the two rules about a required field: 400 where it is missing is stated, and so is its JSON type.
 * @param field with its article where it has one
 * @param other a value of another type that is sent
 * @param whole the object that lacks the field
 */
export function required<const Id extends string>(
  id: Id,
  field: string,
  { other = 'an object', whole = 'a body' } = {},
): OfRequired<Id> {
  const name = field.replace(/^an? /, '');
  return {
    ...instead(`${id}-required`, `${whole} without ${name}`, 'accepted', 422, 500),
    ...under(`${id}-type`, {
      'null-accepted': `null as ${name} is accepted`,
      'other-accepted': `${other} as ${name} is accepted`,
      500: `${field} of another type is answered with 500`,
    }),
  } as OfRequired<Id>;
}

/** Faults of the rule about the JSON type of an optional field. */
export function ofOptionalType<const Id extends string>(id: Id, field: string): Titles<Id, 'accepted' | 500> {
  return instead(id, `${field} of another type`, 'accepted', 500);
}

export function ofJson<const Id extends string>(id: Id): Titles<Id, 'text' | 'html'> {
  return under(id, { text: 'the answer is plain text', html: 'the answer is an HTML page' });
}

export function ofId<const Id extends string>(
  id: Id,
  name: string,
): Titles<Id, 'missing' | 'null' | 'number' | 'empty'> {
  return under(id, {
    missing: `the answer carries no ${name}`,
    null: `${name} is null`,
    number: `${name} is a JSON number`,
    empty: `${name} is an empty string`,
  });
}

type InType3<Id> = Id extends `${infer Requirement}/${infer What}` ? `${Requirement}/type-3-${What}` : never;

/** The twin of a fault that shows in requests of type 3 only. */
export const inType3 = (id: string) => id.replace('/', '/type-3-');

/** The faults, and the twin of each. */
export function alsoInType3<const Id extends string>(
  titles: Readonly<Record<Id, string>>,
): Readonly<Record<Id | InType3<Id>, string>> {
  const twins = Object.entries<string>(titles).map(([id, title]) => [
    inType3(id),
    `in a request of type 3 ${title}`,
  ]);
  return { ...titles, ...Object.fromEntries(twins) } as Readonly<Record<Id | InType3<Id>, string>>;
}

function under<Id extends string, What extends string | number>(
  id: Id,
  titles: Readonly<Record<What, string>>,
): Titles<Id, What> {
  const all = Object.entries<string>(titles).map(([what, title]) => [`${id}/${what}`, title]);
  return Object.fromEntries(all) as Titles<Id, What>;
}
