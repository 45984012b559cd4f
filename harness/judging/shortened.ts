/** Texts that a target wants to be short. */
import { digestOf } from '../../generators/seed.ts';

/** The text, cut where it is longer than the target allows; two long texts do not become one. */
export function shortened(text: string, most = Number.POSITIVE_INFINITY): string {
  const [...characters] = text;
  if (characters.length <= most) return text;
  const end = ` ${digestOf(text).slice(0, 6)}`;
  return (
    characters
      .slice(0, most - end.length)
      .join('')
      .trimEnd() + end
  );
}
