/** Endpoints 2 and 3: create a request of type 1, 2 or 3 in one call. */
import { path, requestType } from '../openapi/codes.ts';
import { authorize, authorizeCarrying, leaving } from './access.ts';
import { jsonAnswer } from './answer.ts';
import { declaredAsJson, parseJson, readBody, readForm } from './body.ts';
import { type NewRequest, readFixedBody, readStampingBody, readTemplateBody } from './create-bodies.ts';
import { documentState, unknownToken } from './documents.ts';
import type { FaultId } from './faults.ts';
import { Fields, type JsonObject } from './fields.ts';
import { newId } from './ids.ts';
import { badRequest, isOn, Refusal, refuseFaultily } from './rules.ts';
import type { App, Call, Service } from './service.ts';
import { keepRequest } from './skeleton.ts';
import { requestCreated } from './workflow.ts';

type CreateType = 1 | 2 | 3;

export function mountCreate(app: App, service: Service): void {
  const { template, fixed, autoStamping } = requestType;
  app.post(
    path.create,
    inside(service, async (call) => {
      const account = authorize(call, service, 'create');
      const type = readType(call, service, [template, fixed, autoStamping]);
      const fault = statusFaults[type];
      // For types 1 and 2 this is 500: a 4xx could be due to the body, which only the profile knows, or to the
      // profile.
      const refused = () => (type === autoStamping ? badRequest('Not supported') : new Refusal(500));
      if (service.faulty(`${fault}/refused`)) throw refused();
      refuseFaultily(service, 'create.stamping-200/409', type === autoStamping);
      // Faults of other endpoints must not show here, so the body is read without faults.
      const created = await createRequest(call, withoutFaults(service), account, type);
      requestCreated(service, created.requestId);
      return answerCreated(service, service.faulty(`${fault}/201`) ? 201 : 200, created);
    }),
  );
  app.post(
    path.autoStamping,
    inside(service, async (call) => {
      const rule = 'stamping.refused-without-effect';
      const authorized = () => authorizeCarrying(call, service, 'stamping');
      const account = await leaving(call, service, rule, authorized, (body, _, denied) => {
        if (!denied) return;
        if (service.faulty(invited[denied])) inviteAllTheSame(service, body);
        else if (service.faulty(`${rule}/second-invited`)) inviteAllTheSame(service, body, 1);
      });
      const type = readType(call, service, [autoStamping]);
      refuseFaultily(service, 'stamping.status-200/refused', true);
      const create = () => createRequest(call, withFaultsOf(service, 'stamping.'), account, type);
      const created = await leaving(call, service, rule, create, (body, { detail = '' }) => {
        const isInvited = service.faulty(`${rule}/invited-no-number`);
        if (isInvited && detail.includes('MobileNumber')) inviteAllTheSame(service, body);
      });
      requestCreated(service, created.requestId);
      const other = isOn(service, {
        'stamping.status-200/201': true,
        'stamping.status-200/201-for-several': created.signatories.length > 1,
      });
      return answerCreated(service, other ? 201 : 200, created);
    }),
  );
}

/** Errors of these endpoints are not shown: in one dialect they come with 200. */
function inside(service: Service, create: (call: Call) => Promise<Response>) {
  return (call: Call) =>
    create(call).catch((error: unknown) => {
      if (!(error instanceof Refusal) || service.dialect.createRefusedAs === 'status') throw error;
      const told = service.dialect.createRefusedAs === 'code' ? { code: 40_000 } : { success: false };
      return jsonAnswer(service, 200, { ...told, message: error.message });
    });
}

const invited = {
  missing: 'stamping.refused-without-effect/invited',
  invalid: 'stamping.refused-without-effect/invited-invalid-token',
  expired: 'stamping.refused-without-effect/invited-expired-token',
} as const;

/** The fault: sends invitations to the signatories of a rejected body, beginning with the one at `from`. */
function inviteAllTheSame({ outbox }: Service, body: string, from = 0): void {
  const [, title = 'a document'] = /"Title":"([^"]+)"/.exec(body) ?? [];
  for (const [, to = ''] of [...body.matchAll(/"Email":"([^"]+)"/g)].slice(from)) {
    const mail = { kind: 'invitation', subject: `Please sign: ${title}`, text: 'Please sign' } as const;
    outbox.send({ channel: 'email', to, ...mail, requestId: '', signatoryId: '' });
  }
}

const statusFaults = { 1: 'create.template-200', 2: 'create.fixed-200', 3: 'create.stamping-200' } as const;

const unknownOf = {
  doc: 'upload.token-usable/doc-in-type-3',
  docx: 'upload.token-usable/docx-in-type-3',
} as const;

const withoutFaults = (service: Service): Service => ({ ...service, faulty: () => false });

function withFaultsOf(service: Service, area: string): Service {
  const reaches = (id: FaultId) => id.startsWith(area) || Object.values<FaultId>(unknownOf).includes(id);
  return { ...service, faulty: (id: FaultId) => reaches(id) && service.faulty(id) };
}

function readType<Type extends CreateType>(call: Call, service: Service, types: readonly Type[]): Type {
  const given = call.req.query('type');
  const type = types.find((each) => String(each) === given);
  if (type === undefined) {
    const detail = `The query parameter type is ${types.length === 1 ? 'not' : 'none of'} ${types.join(', ')}`;
    throw new Refusal(service.dialect.unknownTypeStatus, { detail });
  }
  return type;
}

interface Created {
  readonly requestId: string;
  readonly signatories: readonly { readonly email: string; readonly signatoryId: string }[];
}

async function createRequest(
  call: Call,
  service: Service,
  account: string,
  type: CreateType,
): Promise<Created> {
  const { createRefusedStatus } = service.dialect;
  const fields = new Fields(await readObject(call, service), service, '', createRefusedStatus);
  const request = await readers[type](fields, service, account);
  refuseUnknown(service, account, request.facts.documents);
  const requestId = keepRequest(service, account, request.facts);
  const signatories = request.signatories.map((facts) => {
    const signatoryId = newId(service.dialect.idForm, 'sig');
    service.store.addSignatory(signatoryId, requestId, facts, service.now());
    return { email: facts.email, signatoryId };
  });
  return { requestId, signatories };
}

const readers: Readonly<
  Record<CreateType, (fields: Fields, service: Service, account: string) => Promise<NewRequest>>
> = { 1: readTemplateBody, 2: readFixedBody, 3: readStampingBody };

/** The body of endpoint 3 is JSON; some services accept it only in a field of a multipart form. */
async function readObject(call: Call, service: Service): Promise<JsonObject> {
  const { dialect } = service;
  const bytes = await readBody(call, dialect.maxJsonBytes);
  const parsed = parseJson(await jsonBytes(call, bytes, service), service);
  if (parsed.kind === 'object') return parsed.value;
  throw new Refusal(dialect.createRefusedStatus, { detail: parsed.detail });
}

async function jsonBytes(call: Call, bytes: Buffer, service: Service): Promise<Buffer> {
  if (service.dialect.createEncoding === 'json') {
    if (declaredAsJson(call, service)) return bytes;
    const detail = 'Content-Type is not application/json';
    throw new Refusal(service.dialect.contentTypeStatus, { detail });
  }
  const form = await readForm(bytes, call.req.header('Content-Type') ?? '');
  const field = form.get(service.dialect.createField);
  if (field === null) throw badRequest(`No part "${service.dialect.createField}"`);
  return typeof field === 'string' ? Buffer.from(field) : Buffer.from(await field.arrayBuffer());
}

/** What endpoints 2 and 3 answer to an unknown document token is not shown. */
function refuseUnknown(service: Service, account: string, tokens: readonly string[]): void {
  const isLost = (token: string) => {
    const kind = service.store.document(token)?.kind;
    return kind !== undefined && kind !== 'pdf' && service.faulty(unknownOf[kind]);
  };
  const at = tokens.findIndex((token) => isLost(token) || documentState(service, account, token) !== 'known');
  if (at < 0) return;
  const words = { message: 'Document Token Not Found', detail: unknownToken(at) };
  throw new Refusal(service.dialect.createUnknownDocumentStatus, words);
}

/** Status 200 is stated; the answer's body is not shown. */
function answerCreated(service: Service, status: number, created: Created): Response {
  switch (service.dialect.createAnswer) {
    case 'object':
      return jsonAnswer(service, status, { ...created, status: 'initiated' });
    case 'by-email': {
      const people = created.signatories.map(({ email, signatoryId }) => [email, signatoryId]);
      return jsonAnswer(service, status, {
        requestId: created.requestId,
        people: Object.fromEntries(people),
      });
    }
    case 'nested':
      return jsonAnswer(service, status, { data: { request: { id: created.requestId } } });
    case 'text':
      return new Response(created.requestId, { status, headers: { 'Content-Type': 'text/plain' } });
    case 'page': {
      const page = `<!doctype html><h1>Request initiated</h1><p id="request">${created.requestId}</p>`;
      return new Response(page, { status, headers: { 'Content-Type': 'text/html' } });
    }
    case 'headers': {
      const { requestId, signatories } = created;
      const first = signatories[0]?.signatoryId;
      const headers = { 'X-Request-Id': requestId, ...(first ? { 'X-Signatory-Id': first } : {}) };
      return new Response(null, { status, headers });
    }
    case 'empty':
      return new Response(null, { status });
  }
}
