/** Imagines mistakes that show only in combinations, so that sequences can be chosen that show most of them. Pure. */
import type { Draw } from '../../generators/seed.ts';
import { grouped } from '../../record/grouped.ts';
import type { Situation } from './situations.ts';

/** A situation as numbers. */
export interface NumberedSituation {
  readonly claim: string;
  readonly aspects: readonly number[];
}

/**
 * Three numbers for each mistake: its second and its third aspect, from the rarest on (of fewer, the last one again), and its
 * own number. Numbers in a row, since most of the time of drawing goes into reading them.
 */
type Mistakes = number[];

/** How many aspects imagined mistakes depend on: two or three, beside what they violate. */
const sizes = [2, 3, 3] as const;

/** Among so many moments of a claim nearly every aspect occurs. */
const enough = 100;

/**
 * The mistakes that a target may have: something stated is violated if two or three aspects come together. Each claim
 * gets as many of them as any other, and each aspect and each fact are as likely, however rarely they are drawn. Mistakes
 * that were not shown yet are open.
 */
export class Imagined {
  readonly #numbers = new Map<string, number>();
  /** For each aspect, the fact whose value it is. */
  readonly #facts: string[] = [];
  /** By claim, and by the rarest aspect. */
  readonly #open = new Map<string, Mistakes[]>();
  readonly #shown = new Map<string, NumberedSituation[]>();
  /** All that were imagined, by their names. */
  readonly #known = new Map<string, NumberedSituation>();
  /** For each aspect, the last time that it was marked. */
  readonly #marked: number[] = [];
  /** For each aspect, how many moments have it. */
  readonly #counts: number[] = [];
  #times = 0;
  /** For each mistake, the last count in which it was shown. */
  readonly #shownIn: number[] = [];
  /** How often mistakes were counted. */
  #counted = 0;
  #left = 0;

  /** How many were not shown yet. */
  get left(): number {
    return this.#left;
  }

  /** How many were imagined in all. */
  get count(): number {
    return this.#known.size;
  }

  /** How many of all these moments show. */
  shownBy(moments: readonly NumberedSituation[]): number {
    const anew = new Imagined();
    for (const { claim, aspects } of this.#known.values()) anew.#note(claim, aspects);
    return anew.gain(moments);
  }

  momentsOf(situations: readonly Situation[]): readonly NumberedSituation[] {
    return situations.flatMap(({ claims, aspects }) => {
      if (claims.length === 0) return [];
      const numbers = aspects.map((each) => this.#numberOf(each));
      return claims.map((claim) => ({ claim, aspects: numbers }));
    });
  }

  /** Imagines further mistakes, each of which some of these moments would show. */
  imagine(draw: Draw, moments: readonly NumberedSituation[], count: number): void {
    for (const { aspects } of moments)
      for (const each of aspects) this.#counts[each] = (this.#counts[each] ?? 0) + 1;
    const claims = [...grouped(moments, ({ claim }) => claim)].map(([name, all]) => {
      const having = all.slice(0, enough);
      const aspects = this.#othersOf(having, []);
      const byAspect = new Map(
        aspects.map((one) => [one, having.filter((each) => each.aspects.includes(one))]),
      );
      return { name, aspects, byAspect };
    });
    for (let made = 0; made < count && claims.length > 0; made += 1) {
      const claim = claims[draw(claims.length)];
      if (!claim) continue;
      const chosen: number[] = [];
      let { aspects } = claim;
      let having: readonly NumberedSituation[] | undefined;
      for (let size: number = sizes[draw(sizes.length)] ?? 2; size > 0; size -= 1) {
        const next = this.#oneOf(draw, aspects);
        if (next === undefined) break;
        chosen.push(next);
        if (size === 1) break;
        having = having?.filter((each) => each.aspects.includes(next)) ?? claim.byAspect.get(next) ?? [];
        aspects = this.#othersOf(having, chosen);
      }
      this.#note(
        claim.name,
        chosen.sort((a, b) => a - b),
      );
    }
  }

  add(moments: readonly NumberedSituation[]): void {
    this.#left -= this.gain(moments);
    for (const all of this.#open.values())
      for (const [aspect, those] of all.entries())
        if (those) all[aspect] = those.filter((_, at) => !this.#isCounted(those, at - (at % 3)));
    for (const moment of moments)
      this.#shown.set(moment.claim, [...(this.#shown.get(moment.claim) ?? []), moment]);
  }

  #note(claim: string, aspects: readonly number[]): void {
    const name = `${claim}:${aspects}`;
    if (this.#known.has(name)) return;
    this.#known.set(name, { claim, aspects });
    const isShown = this.#shown
      .get(claim)
      ?.some((each) => aspects.every((one) => each.aspects.includes(one)));
    if (isShown) return;
    const rarestFirst = aspects.toSorted((a, b) => (this.#counts[a] ?? 0) - (this.#counts[b] ?? 0));
    const [rarest = 0, second = rarest, third = second] = rarestFirst;
    const all = this.#open.get(claim) ?? [];
    const those = all[rarest] ?? [];
    those.push(second, third, this.#shownIn.push(0) - 1);
    all[rarest] = those;
    this.#open.set(claim, all);
    this.#left += 1;
  }

  /** One of these aspects: every other time of a fact that is drawn first, since some facts have many values. */
  #oneOf(draw: Draw, aspects: readonly number[]): number | undefined {
    const pick = <Value>(all: readonly Value[]) => all[draw(Math.max(1, all.length))];
    if (draw(2) === 0) return pick(aspects);
    return pick(pick([...grouped(aspects, (each) => this.#facts[each]).values()]) ?? []);
  }

  /** How many that were not shown yet a sequence with these moments would show. */
  gain(moments: readonly NumberedSituation[]): number {
    this.#counted += 1;
    let count = 0;
    for (const { claim, aspects } of moments) {
      const open = this.#open.get(claim);
      if (!open) continue;
      this.#mark(aspects);
      for (const aspect of aspects) {
        const those = open[aspect] ?? [];
        for (let at = 0; at < those.length; at += 3) {
          const isShown = this.#isMarked(those[at] as number) && this.#isMarked(those[at + 1] as number);
          if (!isShown || this.#isCounted(those, at)) continue;
          this.#shownIn[those[at + 2] as number] = this.#counted;
          count += 1;
        }
      }
    }
    return count;
  }

  /** Each aspect of these moments once, without those that were chosen. */
  #othersOf(moments: readonly NumberedSituation[], chosen: readonly number[]): readonly number[] {
    this.#mark(chosen);
    const others: number[] = [];
    for (const { aspects } of moments) {
      for (const each of aspects) {
        if (this.#isMarked(each)) continue;
        this.#marked[each] = this.#times;
        others.push(each);
      }
    }
    return others;
  }

  #mark(aspects: readonly number[]): void {
    this.#times += 1;
    for (const each of aspects) this.#marked[each] = this.#times;
  }

  /** Whether the mistake that begins there was shown in this count. */
  #isCounted(those: Mistakes, at: number): boolean {
    return this.#shownIn[those[at + 2] as number] === this.#counted;
  }

  #isMarked(aspect: number): boolean {
    return this.#marked[aspect] === this.#times;
  }

  #numberOf(aspect: string): number {
    const known = this.#numbers.get(aspect);
    if (known !== undefined) return known;
    this.#numbers.set(aspect, this.#numbers.size);
    return this.#facts.push(aspect.slice(0, aspect.indexOf('='))) - 1;
  }
}
