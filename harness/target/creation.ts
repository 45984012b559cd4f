/** Names the object that a call would create, and where it is noted before the call is sent. */
import type { Created } from '../../record/exchange.ts';
import type { Call } from './call.ts';

export interface Creation {
  readonly kind: Created['kind'];
  /** How the object can be found at the target: the Title of a request, the file name of a document. */
  readonly title: string;
}

export function creationBy({ operation, body, requestId, check, row }: Call): Creation {
  const unnamed = ['without a name', check, row].filter(Boolean).join(' ');
  if (operation === 'addSignatory') return { kind: 'signatory', title: `of request ${requestId}` };
  if ('file' in body) return { kind: 'document', title: body.file.name };
  const { Title } = 'json' in body ? ((body.json ?? {}) as { readonly Title?: unknown }) : {};
  const kind = operation === 'uploadDocument' ? 'document' : 'request';
  return { kind, title: typeof Title === 'string' && Title !== '' ? Title : unnamed };
}

/** Notes each creation before it is sent, so that at least its title is known if the process is killed. */
export interface Journal {
  /** @returns a function to call when it is known what the call has created, or that it created nothing */
  sending(creation: Creation): () => void;
}
