/** Chooses the next sequence: of those that are drawn, the one that shows most that was not seen yet. Pure. */
import { type Draw, drawing } from '../../generators/seed.ts';
import { lengthOf, type Sequence } from '../../record/sequence.ts';
import { drawSequence, kindsWith, type Means, nextKinds, type Rare, withOneChange } from './draw.ts';
import { Imagined, type NumberedSituation } from './imagined.ts';
import { situationsOf } from './situations.ts';

/** How many drawn sequences the best is picked from: usual ones, and those of each rare kind. */
const stock = { usual: 100, rare: 60 } as const;

/** How many mistakes are imagined for each drawn sequence. */
const imaginedEach = 96;

/** How many changes of one thing are tried in a chosen sequence, to see whether it then shows more. */
const changes = 300;

/** What a sequence costs in addition to its steps, counted in steps: its uploads. */
const setUp = 1;

/** A sequence that was drawn and not made yet. */
interface Candidate {
  readonly kind: Rare | undefined;
  readonly sequence: Sequence;
  readonly moments: readonly NumberedSituation[];
  /** The gain per step when it was last computed; it can only get less. */
  worth: number;
}

/** Gives sequences without end: the same for the same seed and means. */
export class Drawing {
  readonly #imagined = new Imagined();
  readonly #means: Means;
  readonly #draw: Draw;
  #stock: readonly Candidate[] = [];
  /** The kinds of the next sequences, the next one last. */
  #kinds: (Rare | undefined)[] = [];

  constructor(seed: number, means: Means) {
    this.#means = means;
    this.#draw = drawing(seed, 'sequences');
    for (const kind of kindsWith(means)) this.#fill(kind);
  }

  /** Whether the sequences so far show every mistake that was imagined. */
  get isAllShown(): boolean {
    return this.#imagined.left === 0;
  }

  /** How many of the imagined mistakes some sequences show. */
  shownBy(sequences: readonly Sequence[]): { readonly seen: number; readonly of: number } {
    const moments = sequences.flatMap((sequence) => this.#momentsOf(sequence));
    return { seen: this.#imagined.shownBy(moments), of: this.#imagined.count };
  }

  /** @param longest most steps, with the creation and the additions of people; at least 2 */
  next(longest: number): Sequence {
    const sequence = this.#improved(within(this.#best().sequence, longest), longest);
    this.#imagined.add(this.#momentsOf(sequence));
    return sequence;
  }

  /** The sequence that shows most per step that was not seen yet. */
  #best(): Candidate {
    if (this.#kinds.length === 0) this.#kinds = [...nextKinds(this.#draw, this.#means)];
    const wanted = this.#kinds.pop();
    this.#fill(wanted);
    const all = this.#stock.filter(({ kind }) => kind === wanted);
    for (;;) {
      all.sort((one, other) => other.worth - one.worth);
      const [first] = all;
      if (!first) throw new Error('some sequences are drawn');
      const worth = this.#worthOf(first);
      if (worth === first.worth) {
        this.#stock = this.#stock.filter((each) => each !== first);
        return first;
      }
      first.worth = worth;
    }
  }

  #worthOf({ sequence, moments }: Pick<Candidate, 'sequence' | 'moments'>): number {
    return this.#imagined.gain(moments) / (setUp + lengthOf(sequence));
  }

  /** Changes one thing after the other, and keeps each change that shows as much or more for its steps. */
  #improved(drawn: Sequence, longest: number): Sequence {
    // Every other change leads to a sequence that was tried before.
    const known = new Map<string, number>();
    const worthOf = (sequence: Sequence) => {
      const name = JSON.stringify(sequence);
      const worth = known.get(name) ?? this.#worthOf({ sequence, moments: this.#momentsOf(sequence) });
      known.set(name, worth);
      return worth;
    };
    let sequence = drawn;
    let most = worthOf(sequence);
    for (let left = changes; left > 0; left -= 1) {
      const other = withOneChange(this.#draw, this.#means, sequence);
      const fitting = other && within(other, longest);
      const worth = fitting ? worthOf(fitting) : 0;
      if (!fitting || worth < most) continue;
      most = worth;
      sequence = fitting;
    }
    return sequence;
  }

  #momentsOf(sequence: Sequence): readonly NumberedSituation[] {
    return this.#imagined.momentsOf(situationsOf(sequence));
  }

  /** Draws new sequences once the remaining ones show nothing new. */
  #fill(kind: Rare | undefined): void {
    const left = this.#stock.filter((each) => each.kind === kind).length;
    if (left > 0 && this.#imagined.left > 0) return;
    const drawn = Array.from({ length: (kind ? stock.rare : stock.usual) - left }, () => {
      const sequence = drawSequence(this.#draw, this.#means, kind);
      return { kind, sequence, moments: this.#momentsOf(sequence), worth: Number.POSITIVE_INFINITY };
    });
    this.#stock = [...this.#stock, ...drawn];
    this.#imagined.imagine(
      this.#draw,
      drawn.flatMap(({ moments }) => moments),
      imaginedEach * drawn.length,
    );
  }
}

/** Whether the steps that are left are too few for one more sequence, a creation and one addition. */
export const isFull = (made: number, steps: number): boolean => made > Math.max(0, steps - 2);

/** The part of a sequence that fits into `longest` steps. */
function within(sequence: Sequence, longest: number): Sequence {
  const { people, documents, steps } = sequence;
  const room = longest - lengthOf({ ...sequence, steps: [] });
  if (room >= 0) return { ...sequence, steps: steps.slice(0, room) };
  return { people: people.slice(0, Math.max(1, longest - 1)), documents, steps: [] };
}
