/** Gives each body of a check its own Title: that two requests may have the same one is not shown. */
import { isObject, withValue } from '../../generators/bodies/edit.ts';
import { shortened } from './shortened.ts';

/** What titles of the suite begin with: other ones are what a row is about, and stay as they are. */
const ours = /^Conformance (?=\S+ .)/;

/**
 * The input with a mark in its Title; what has none is returned as it is.
 * @param mark 0 for the first row, whose Title stays
 */
export function ownTitle<Input>(input: Input, mark: number | string): Input {
  if (mark === 0 || !isObject(input) || !isObject(input.json)) return input;
  const { Title } = input.json;
  if (typeof Title !== 'string' || !ours.test(Title)) return input;
  const [first = '', run = '', ...rest] = Title.split(' ');
  // No longer than before, since the target may take no longer ones.
  const title = shortened([first, run, mark, ...rest].join(' '), [...Title].length);
  return { ...input, json: withValue(input.json, '/Title', title) } as Input;
}
