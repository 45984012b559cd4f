/** How much the target took: the base URL with its path, and the most documents and signatories of a request. */
import type { Observation } from '../../openapi/observation.ts';
import { parseJson } from '../untrusted/pointer.ts';
import { accepted, grouped, type Observer, stable } from './seen.ts';

/** Where the paths of the document begin. */
const start = /\/(_apis\/|api\/Requests)/;

/** The path of the base URL, by operation where it differs. */
export const basePath: Observer = (seen) =>
  stable(
    accepted(seen).flatMap(({ request: { url }, index }) => {
      const { pathname } = new URL(url);
      const at = pathname.search(start);
      if (at < 0) return [];
      const value = pathname.slice(0, at) || 'none';
      return [{ gap: 'service.base-url' as const, key: 'path of the base URL', value, exchange: index }];
    }),
  );

/** The most that was accepted in this run: a lower bound of the limit, which was not looked for. */
export const mostAccepted: Observer = (seen) => {
  const documents = accepted(seen)
    .filter(({ operation }) => operation === 'createSkeletonRequest')
    .map(({ request, index }) => ({ index, count: documentsIn(request.body?.text) }));
  const added = accepted(seen).filter(({ operation }) => operation === 'addSignatory');
  const signatories = [...grouped(added, ({ request }) => request.url).values()].map((group) => ({
    index: group.at(-1)?.index ?? 0,
    count: group.length,
  }));
  return [
    ...most('limits.documents', 'documents in one accepted request', documents),
    ...most('limits.signatories', 'signatories added to one request', signatories),
  ];
};

function documentsIn(text: string | undefined): number {
  const body = text === undefined ? undefined : parseJson(text);
  const { Documents } = (body ?? {}) as { Documents?: unknown };
  return Array.isArray(Documents) ? Documents.length : 0;
}

function most(
  gap: Observation['gap'],
  key: string,
  counted: readonly { readonly index: number; readonly count: number }[],
): Observation[] {
  const [largest] = [...counted].sort((one, other) => other.count - one.count);
  if (!largest || largest.count === 0) return [];
  return [{ gap, key, value: largest.count, stability: 'volatile', exchanges: [largest.index] }];
}
