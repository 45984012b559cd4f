/** The shape of a fault: one deliberate violation of one requirement. */

/** A title, or a title with the requirements that cannot help turning red too and the reason of each. */
export type FaultEntry =
  | string
  | { readonly title: string; readonly alsoRed: Readonly<Record<string, string>> };

/** Faults by id: `<requirement id>/<what>`. */
export type FaultEntries = Readonly<Record<`${string}.${string}/${string}`, FaultEntry>>;
