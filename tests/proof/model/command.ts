/** The shape of the commands: a name, what was drawn for it, and a run that returns the request to compare. */
import fc from 'fast-check';
import { atTurn, type Caller, type Model, type ModelPerson, type ModelRequest } from './model.ts';
import type { World } from './world.ts';

export type Command = fc.AsyncCommand<Model, World>;

/** The usual value nine times in ten: sequences with one flaw after the other are refused from their start. */
export function mostly<const Value>(usual: Value, ...others: Value[]): fc.Arbitrary<Value> {
  return fc.oneof(
    { weight: 9, arbitrary: fc.constant(usual) },
    { weight: 1, arbitrary: fc.constantFrom(...others) },
  );
}

export const callers = mostly<Caller>('owner', 'stranger', 'nobody', 'expired', 'invalid');

/** A command that is always tried, legal or not. What `run` returns is compared with the service afterwards. */
export function command(
  name: string,
  given: object,
  run: (model: Model, world: World) => Promise<ModelRequest | undefined>,
): Command {
  return {
    check: () => true,
    run: async (model, world) => {
      const request = await run(model, world);
      if (request) await world.compare(request);
    },
    toString: () => `${name} ${JSON.stringify(given)}`,
  };
}

/** The request that a drawn number stands for: one of the last three. */
export function requestAt({ requests }: Model, number: number): ModelRequest | undefined {
  return requests.at(-1 - number) ?? requests[0];
}

/** `turn`: somebody whose turn it is, if there is anybody. */
export function personAt(
  request: ModelRequest | undefined,
  chosen: 'turn' | number,
): ModelPerson | undefined {
  if (!request) return undefined;
  const [next] = atTurn(request);
  if (chosen === 'turn' && next) return next;
  return request.people[Number(chosen) % Math.max(request.people.length, 1)] ?? request.people[0];
}
