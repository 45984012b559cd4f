/** A service that takes everything, and gives every document and request an id of its own. */
import { path } from '../../../openapi/codes.ts';
import { type Arrived, json, type Loopback, serve } from './loopback.ts';

/** Text goes out as it is, everything else as JSON. */
export type Reply = readonly [status: number, body: unknown];

/** @param refuses what is answered instead, if anything */
export function startTinyService(
  refuses: (request: Arrived) => Reply | undefined = () => undefined,
): Promise<Loopback> {
  let count = 0;
  return serve((request, response) => {
    count += 1;
    const signatory = request.url.endsWith('/signatories');
    const requestId = signatory ? request.url.split('/').at(-2) : `R${count}`;
    const body = request.url.endsWith(path.upload)
      ? { documentToken: `T${count}` }
      : { requestId, ...(signatory ? { signatoryId: `S${count}` } : {}) };
    const [status, said] = refuses(request) ?? [200, body];
    if (typeof said === 'string') response.writeHead(status).end(said);
    else json(response, status, said);
  });
}
