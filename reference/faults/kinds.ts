/** Faults that follow from the kind of a rule: what a service may do instead of what the rule says. */

/** What may come instead: it is accepted, refused, or answered with a status. */
type Outcome = 'accepted' | 'refused' | 422 | 500 | 400 | 410;

type Rule = `${string}.${string}`;
type Titles<Id extends Rule, What extends string | number> = Readonly<Record<`${Id}/${What}`, string>>;

/** Faults of a rule about `what`, one for each outcome that it forbids. */
export function instead<const Id extends Rule, const What extends readonly Outcome[]>(
  id: Id,
  what: string,
  ...outcomes: What
): Titles<Id, What[number]> {
  return titled<Id, What[number]>(id, outcomes, (outcome) =>
    typeof outcome === 'number' ? `${what} is answered with ${outcome}` : `${what} is ${outcome}`,
  );
}

/** Faults of a rule that states 400 for `what`, which lacks something. */
export function lacking<const Id extends Rule>(id: Id, what: string): Titles<Id, 'accepted' | 422 | 500> {
  return instead(id, what, 'accepted', 422, 500);
}

/** Faults of the rule about the JSON type of a required field: `field` with its article where it has one. */
export function ofType<const Id extends Rule>(
  id: Id,
  field: string,
  other = 'an object',
): Titles<Id, 'null-accepted' | 'other-accepted' | 500> {
  const name = field.replace(/^an? /, '');
  const titles = {
    'null-accepted': `null as ${name} is accepted`,
    'other-accepted': `${other} as ${name} is accepted`,
    500: `${field} of another type is answered with 500`,
  };
  return titled(id, ['null-accepted', 'other-accepted', 500] as const, (what) => titles[what]);
}

/** Faults of the rule about the JSON type of an optional field. */
export function ofOptionalType<const Id extends Rule>(id: Id, field: string): Titles<Id, 'accepted' | 500> {
  return instead(id, `${field} of another type`, 'accepted', 500);
}

/** Faults of an answer that is JSON. */
export function ofJson<const Id extends Rule>(id: Id): Titles<Id, 'text' | 'html'> {
  const titles = { text: 'the answer is plain text', html: 'the answer is an HTML page' };
  return titled(id, ['text', 'html'] as const, (what) => titles[what]);
}

/** Faults of an id that is a string and not empty. */
export function ofId<const Id extends Rule>(
  id: Id,
  name: string,
): Titles<Id, 'missing' | 'null' | 'number' | 'empty'> {
  const titles = {
    missing: `the answer carries no ${name}`,
    null: `${name} is null`,
    number: `${name} is a JSON number`,
    empty: `${name} is an empty string`,
  };
  return titled(id, ['missing', 'null', 'number', 'empty'] as const, (what) => titles[what]);
}

function titled<const Id extends Rule, const What extends string | number>(
  id: Id,
  whats: readonly What[],
  title: (what: What) => string,
): Titles<Id, What> {
  return Object.fromEntries(whats.map((what) => [`${id}/${what}`, title(what)])) as Titles<Id, What>;
}
