/** Learns which code stands in answers of calls that made something: many services answer 200 to everything. */
import { is2xx } from '../../../record/exchange.ts';
import { leavesOf, pointerOf } from '../../untrusted/payload/tree.ts';
import { treeOf } from '../../untrusted/place.ts';
import type { Answer } from '../call.ts';

type Coded = Pick<Answer, 'status' | 'text' | 'headers'>;

/** Names of such a field, as in `{"code":0}`, `{"errcode":40013}`, `{"head":{"retCode":"00"}}`. */
const name = /^(?:err(?:or)?|ret(?:urn)?|res(?:ult)?|resp(?:onse)?|status)?[_-]?(?:code|no)$|^r(?:et|c)$/i;

/** How deep it stands at most: below the root of an XML body and a head. */
const deepest = 3;

/** The code of a body, and where it stands; nothing if it only repeats the status. */
function codeIn({
  status,
  text,
  headers,
}: Coded): { readonly at: string; readonly code: string } | undefined {
  const found = leavesOf(treeOf(text, headers)).find(
    ({ path, lists }) => lists === 0 && path.length <= deepest && name.test(path.at(-1) ?? ''),
  );
  const code = String(found?.value);
  return found && code !== String(status) ? { at: pointerOf(found.path), code } : undefined;
}

export class ResultCodes {
  /** By place, the code of answers by which something was made. */
  readonly #known = new Map<string, { readonly code: string; times: number }>();
  /** By operation, the codes of its answers. */
  readonly #seen = new Map<string, Set<string>>();

  /** Notes the code of an answer by which something was made. */
  learn(answer: Coded): void {
    const found = codeIn(answer);
    if (!found) return;
    const known = this.#known.get(found.at) ?? { code: found.code, times: 0 };
    // A value that is not the same in all of them is no code, but an id or the like.
    known.times = known.code === found.code ? known.times + 1 : Number.NEGATIVE_INFINITY;
    this.#known.set(found.at, known);
  }

  /** Whether the body of a 2xx has another code than each answer by which something was made, at the same place. */
  isOther(answer: Coded): boolean {
    const [known, found] = this.#compared(answer);
    return known !== undefined && known !== found;
  }

  /** As `isOther`, for the answers of one operation. It counts only if another answer of the operation had the known code. */
  isOtherOf(operation: string, answer: Coded): boolean {
    const [known, found] = this.#compared(answer);
    const seen = this.#seen.get(operation) ?? new Set();
    if (found !== undefined) this.#seen.set(operation, seen.add(found));
    return known !== undefined && known !== found && seen.has(known);
  }

  #compared(answer: Coded): readonly [known: string | undefined, found: string | undefined] {
    const found = is2xx(answer) ? codeIn(answer) : undefined;
    const known = found && this.#known.get(found.at);
    return [known && known.times > 1 ? known.code : undefined, found?.code];
  }
}
