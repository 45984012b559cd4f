/** The row whose input is made when its turn has come. */
import type { Row } from '../../generators/row.ts';

/** Documents are not generated before they are needed. */
export type LazyRow<Input> = Omit<Row<Input>, 'input'> & {
  readonly input: Input | (() => Promise<Input> | Input);
};

/** The input of a row, made now where it is not there yet. */
export async function inputOf<Input>(row: LazyRow<Input>): Promise<Input> {
  return typeof row.input === 'function' ? (row.input as () => Promise<Input> | Input)() : row.input;
}
