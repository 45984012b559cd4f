/** How long a title may be, which the document does not show, and how a long one is cut. */
import { digestOf } from '../seed.ts';

/** Characters of the longest titles, with the limit that the profile gives. */
export const longestTitle = (limit = 50): number => Math.min(limit, 100);

/** The text, cut if it is longer than the target allows. Two different long texts stay different. */
export function shortened(text: string, most = Number.POSITIVE_INFINITY): string {
  const [...characters] = text;
  if (characters.length <= most) return text;
  // Letters alone: six digits in the subject of a mail look like the code that is searched for there.
  const end = ` ${digestOf(text)
    .slice(0, 6)
    .replaceAll(/\d/g, (digit) => 'ghijklmnop'.charAt(Number(digit)))}`;
  return (
    characters
      .slice(0, most - end.length)
      .join('')
      .trimEnd() + end
  );
}
