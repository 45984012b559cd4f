/** Fuzz of the reference service: no error, no status from 500 on, nothing of another account in an answer, no memory kept. */
import { path } from '../../../openapi/codes.ts';
import { startReference } from '../../../reference/server.ts';
import {
  ReferenceClient,
  type Reply,
  type Sending,
  signatoryBody,
  skeletonBody,
} from '../../suite/reference-client.ts';
import { type FuzzCall, fuzzCall } from './calls.ts';
import { type FuzzResult, type FuzzRun, fuzzed } from './fuzz-run.ts';

interface Belongings {
  readonly document: string;
  readonly request: string;
  readonly signatory: string;
}

/** Calls with one set of ids; then there is a new one, since objects that were deleted or sent are of no more use. */
const renewedAfter = 20;

/** A text in everything that the other account owns, and in nothing that is sent. */
const canary = 'canary-7f3a91';

const lists = Buffer.from(`${'['.repeat(20_000)}${']'.repeat(20_000)}`);
/** Calls that once broke the page of the service and its list of calls for everybody. */
const found: readonly FuzzCall[] = [path.skeleton, '/'].map((target) => ({
  ...{ method: target === '/' ? 'GET' : 'POST', target, whose: 'mine', strayed: null, token: 'mine' },
  ...{
    headers: [],
    otherType: null,
    content: target === '/' ? null : { type: 'application/json', body: lists },
  },
}));

/** Throws with the smallest input that did harm, and with what replays it. */
export async function fuzzReference(run: FuzzRun): Promise<FuzzResult> {
  const errors: unknown[] = [];
  const reference = await startReference({ onError: (error) => errors.push(error) });
  const client = new ReferenceClient(reference);
  try {
    const stranger = { authorization: `Bearer ${reference.other.token}` };
    const theirs = await belongings(client, canary);
    await sendRequest(client, theirs, {});
    let mine = await belongings(client, 'mine', stranger);
    let count = 0;
    const before = await seen(client, theirs);
    const result = await fuzzed(
      run,
      fuzzCall,
      async (call) => {
        count += 1;
        if (count % renewedAfter === 0) mine = await belongings(client, 'mine', stranger);
        const { status, text, headers } = await sent(client, call, call.whose === 'mine' ? mine : theirs);
        if (errors.length > 0) throw errors.splice(0)[0];
        if (status >= 500) throw new Error(`answered with ${status} ${text.slice(0, 200)}`);
        // The page of the service shows all accounts to whoever started it.
        const isHome = new URL(call.target, reference.baseUrl).pathname === '/';
        if (!isHome && (text.includes(canary) || [...headers.values()].join().includes(canary))) {
          throw new Error(`shows what belongs to another account: ${text.slice(0, 200)}`);
        }
        return status;
      },
      found,
    );
    if ((await seen(client, theirs)) !== before)
      throw new Error('what belongs to another account has changed');
    await sendRequest(client, await belongings(client, 'still at work', stranger), stranger);
    return result;
  } finally {
    await reference.close();
  }
}

/** Creates a document, a request and a signatory, with `text` in all of them. */
async function belongings(
  client: ReferenceClient,
  text: string,
  sending: { readonly authorization?: string } = {},
): Promise<Belongings> {
  const uploaded = await client.upload(Buffer.from(`%PDF-1.4 ${text} %%EOF`), sending, `${text}.pdf`);
  const document = String(uploaded.json.documentToken);
  const head = { ...skeletonBody([document]), Title: text, Message: text };
  const request = String((await client.create(head, sending)).json.requestId);
  const person = {
    ...signatoryBody,
    Name: text,
    Email: `${text.replaceAll(' ', '.')}@example.com`,
    PrivateMessage: text,
  };
  const signatory = String((await client.add(request, person, sending)).json.signatoryId);
  return { document, request, signatory };
}

async function sendRequest(
  client: ReferenceClient,
  { request }: Belongings,
  sending: Sending,
): Promise<void> {
  const target = `/_apis/sign/api/v2/requests/${request}/send`;
  const { status, text } = await client.send('POST', target, undefined, sending);
  if (status !== 200) throw new Error(`the service no longer sends a request: ${status} ${text}`);
}

/** The request as its owner sees it. */
async function seen(client: ReferenceClient, { request }: Belongings): Promise<string> {
  const targets = [`/_control/requests/${request}`, `/_apis/sign/api/v2/requests/${request}/status`];
  const replies = await Promise.all(targets.map((target) => client.send('GET', target)));
  return replies.map(({ status, text }) => `${status} ${text}`).join('\n');
}

async function sent(
  { reference }: ReferenceClient,
  call: FuzzCall,
  ids: Belongings,
): Promise<Omit<Reply, 'json'>> {
  const filled = (text: string) =>
    text.replace(
      /\{(request|signatory|document)\}/g,
      (_, name: keyof Belongings) => call.strayed ?? ids[name],
    );
  const headers = new Headers();
  for (const [name, value] of call.headers) headers.append(name, value);
  if (call.token === 'mine') headers.set('Authorization', `Bearer ${reference.other.token}`);
  if (call.token === 'odd') headers.set('Authorization', `Bearer ${call.target.slice(0, 60)}`);
  const init: RequestInit = { method: call.method, headers };
  if (call.content) {
    headers.set('Content-Type', call.otherType ?? call.content.type);
    init.body = new Uint8Array(Buffer.from(filled(call.content.body.toString('latin1')), 'latin1'));
  }
  const response = await reference.handle(new Request(reference.baseUrl + filled(call.target), init));
  return { status: response.status, text: await response.text(), headers: response.headers };
}
