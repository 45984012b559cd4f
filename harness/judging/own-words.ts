/** What a refusal says of its own, without what the service says in each of them, such as whom to write to for help. */
import type { Answer, Call } from '../target/call.ts';

/** Ends of sentences, and what stands between the texts of a JSON body. */
const ends = /["{}[\],.;!?()]+/;

const pieces = (text: string): readonly string[] =>
  text
    .replaceAll(/\s+/g, ' ')
    .split(ends)
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '');

/**
 * The words of a refusal that another one, which was made for another reason, does not have.
 * @param text may be cut off, with … at its end
 */
export function ownWords(text: string, elsewhere: string): string {
  const said = pieces(elsewhere);
  const isSaid = (piece: string) =>
    said.some((each) => each === piece || (piece.endsWith('…') && each.startsWith(piece.slice(0, -1))));
  return pieces(text)
    .filter((piece) => !isSaid(piece))
    .join('\n');
}

/** A refusal that says nothing about a body: of a call without access. Empty where the target does not refuse that. */
export async function refusedElsewhere(send: (call: Call) => Promise<Answer>): Promise<string> {
  const { status, text } = await send({
    operation: 'createSkeletonRequest',
    purpose: 'confirmation',
    authorization: 'absent',
    deliberate: true,
    body: { json: {} },
  });
  return status === 401 ? text : '';
}
