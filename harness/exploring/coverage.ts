/** Counts which situations were seen, as pairs of their facts, and how many more the sequences could bring about. Pure. */
import type { Situation } from './situations.ts';

/** Facts of a person and the moment; the others are of the whole request. */
const personal = /^(place|otp|message|state|own|after|order|how)=/;

/** Whether a fact is counted with a statement. Subscriptions are for callbacks only: acts hardly depend on them. */
function isCounted(statement: string, fact: string): boolean {
  const isAboutCallbacks = statement.startsWith('event') || statement.startsWith('documents');
  return isAboutCallbacks || !fact.startsWith('subscription=');
}

/** Statements and facts are numbered from 1; a key is made of the number of a statement and those of one fact or two. */
const span = 2 ** 12;

export class Situations {
  readonly #numbers = new Map<string, number>();
  /** How often each known key was seen. */
  readonly #seen = new Map<number, number>();
  #count = 0;
  #possible = 0;

  /** How many situations were seen: a statement with one fact or two. */
  get count(): number {
    return this.#count;
  }

  /** How many situations the sequences that were asked about can bring about. */
  get possible(): number {
    return this.#possible;
  }

  /**
   * A number for each statement (or its family) with each fact of its moment, and with each two facts. If the
   * statement is about a person, one of the two facts has to be about them, too.
   */
  keysOf(situations: readonly Situation[]): readonly number[] {
    const keys = new Set<number>();
    for (const { statement, family, facts: factsOf } of situations) {
      const facts = factsOf();
      const alone = this.#numberOf(family ?? statement) * span * span;
      const counted = facts.filter((fact) => isCounted(statement, fact));
      const all = family === undefined ? counted : [...counted, `how=${statement}`];
      const isAboutSomebody = facts.some((fact) => fact.startsWith('own='));
      const numbered = all.map((fact) => ({
        number: this.#numberOf(fact),
        isPersonal: isAboutSomebody && personal.test(fact),
      }));
      for (const [index, one] of numbered.entries()) {
        keys.add(alone + one.number);
        for (const two of numbered.slice(index + 1)) {
          if (isAboutSomebody && !one.isPersonal && !two.isPersonal) continue;
          keys.add(alone + one.number * span + two.number);
        }
      }
    }
    for (const key of keys) {
      if (this.#seen.has(key)) continue;
      this.#seen.set(key, 0);
      this.#possible += 1;
    }
    return [...keys];
  }

  #numberOf(fact: string): number {
    const known = this.#numbers.get(fact);
    if (known !== undefined) return known;
    this.#numbers.set(fact, this.#numbers.size + 1);
    return this.#numbers.size;
  }

  /** How much a sequence would add: what is new counts most, what is rare more than what is usual. */
  gain(keys: Iterable<number>): number {
    let sum = 0;
    for (const key of keys) sum += 1 / (1 + (this.#seen.get(key) ?? 0));
    return sum;
  }

  add(keys: Iterable<number>): void {
    for (const key of keys) {
      const times = this.#seen.get(key) ?? 0;
      if (times === 0) this.#count += 1;
      this.#seen.set(key, times + 1);
    }
  }
}
