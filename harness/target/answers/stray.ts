/** Answers that something on the way may have given in the target's place: a web page, or bytes that are no text. */
import type { Answer } from '../call.ts';

/** Whether a text is a web page. */
export function isPage(text: string): boolean {
  return /^\s*<(!doctype html|html)/i.test(text);
}

/** Whether a success may be no word of the target: a login or a gateway says that too, once. */
export function isStray({ text }: Pick<Answer, 'text'>): boolean {
  return isPage(text) || text.includes('\ufffd');
}
