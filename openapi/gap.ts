/** The shape of a gap: something that the interface document leaves open or says in two ways. */
export interface Gap {
  /** Heading of the interface document under which it is left open. */
  readonly section: string;
  readonly question: string;
  /** `not-shown`: the document says so, or says nothing. `unclear`: two statements contradict, or one has two meanings. */
  readonly kind: 'not-shown' | 'unclear';
  /** What the reference service does unless a dialect setting says otherwise. */
  readonly reference: string;
  /** Key of the target profile that answers the question (dotted path), where there is one. */
  readonly profileKey?: string;
  /** How a run observes what a target does; absent where it cannot. */
  readonly observed?: string;
  /** What a run needs to observe it, or to observe more, if not every run has that. */
  readonly needs?: string;
}

/** One area's gaps, keyed by id (`area.slug`); ids are never renamed or reused. */
export type GapArea = Readonly<Record<string, Gap>>;

type Open = Omit<Gap, 'section' | 'kind'>;

/** The gaps under one heading: `under(section).notShown({ … })`, `under(section).unclear({ … })`. */
export function under(section: string) {
  return {
    notShown: (gap: Open): Gap => ({ section, kind: 'not-shown', ...gap }),
    unclear: (gap: Open): Gap => ({ section, kind: 'unclear', ...gap }),
  };
}
