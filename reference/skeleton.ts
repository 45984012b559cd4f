/** Endpoint 4: create a skeleton request (type 0). */
import { isIP } from 'node:net';
import { authorType, event, path, requestType } from '../openapi/codes.ts';
import { authorizeCarrying, firstAccount, leaving } from './access.ts';
import { shownId, statedAnswer } from './answer.ts';
import { judgeJsonFirst, readJsonObject } from './body.ts';
import { judgeReachable, readSubscription } from './callback-fields.ts';
import { refuseUnknownDocuments } from './documents.ts';
import { Fields, isObject, type JsonObject, type Leniency, leniently } from './fields.ts';
import { newId, newNumber } from './ids.ts';
import type { RequestFacts } from './model.ts';
import { notify } from './notify.ts';
import { isOn, Refusal, refuse, refuseEach, refuseFaultily } from './rules.ts';
import type { App, Call, Service } from './service.ts';
import { requestCreated } from './workflow.ts';

export function mountSkeleton(app: App, service: Service): void {
  app.post(path.skeleton, (call) => {
    const serve = () => createSkeleton(call, service);
    return leaving(call, service, 'skeleton.refused-without-effect', serve, (body, refusal, denied) =>
      notifyAllTheSame(service, denied ?? lackOf(refusal), body),
    );
  });
}

async function createSkeleton(call: Call, service: Service): Promise<Response> {
  await judgeJsonFirst(call, service);
  const account = await authorizeCarrying(call, service, 'skeleton');
  judgeTypeQuery(call.req.query('type'), service);
  const body = await readJsonObject(call, service, 'skeleton');
  refuseFaultily(service, 'skeleton.created/500', true);
  if (service.dialect.callbackUrlCheck === 'called-first') await judgeReachable(urlIn(body), service);
  const facts = body === null ? unreadable : readSkeleton(body, service, account);
  if (service.dialect.callbackUrlCheck === 'called') await judgeReachable(facts.callbackUrl, service);
  const id = keepRequest(service, account, facts);
  requestCreated(service, id);
  return answerCreated(service, id);
}

/** The CallbackUrl in a body that was not checked yet. */
function urlIn(body: JsonObject | null): string | null {
  const given = isObject(body) ? body.CallbackUrl : null;
  return typeof given === 'string' && URL.canParse(given) ? given : null;
}

const notified = {
  400: 'skeleton.refused-without-effect/notified',
  'not JSON': 'skeleton.refused-without-effect/notified-cut-off',
  'Content-Type': 'skeleton.refused-without-effect/notified-plain-text',
  Message: 'skeleton.refused-without-effect/notified-without-message',
  Documents: 'skeleton.refused-without-effect/notified-without-documents',
  AuditDetails: 'skeleton.refused-without-effect/notified-without-audit-details',
  404: 'skeleton.refused-without-effect/notified-unknown-document',
  missing: 'skeleton.refused-without-effect/notified-without-token',
  invalid: 'skeleton.refused-without-effect/notified-without-token',
  expired: 'skeleton.refused-without-effect/notified-expired-token',
} as const;

/** The reason of a refused creation, other than access. */
function lackOf({ status, detail }: Refusal): keyof typeof notified | undefined {
  if (status === 404) return 404;
  const kinds = ['not JSON', 'Content-Type', 'Message', 'Documents', 'AuditDetails'] as const;
  return kinds.find((each) => detail?.includes(each)) ?? (status === 400 ? 400 : undefined);
}

/** Applies the faults by which a refused creation has an effect. */
function notifyAllTheSame(service: Service, reason: keyof typeof notified | undefined, body: string): void {
  const callbackUrl = /"CallbackUrl":"([^"]+)"/.exec(body)?.[1];
  if (reason === undefined || callbackUrl === undefined || !service.faulty(notified[reason])) return;
  const facts = { ...unreadable, callbackUrl, callbackTypes: [event.requestReceived] };
  const request = service.store.request(keepRequest(service, firstAccount, facts));
  if (request) notify(service, request, event.requestReceived);
}

function judgeTypeQuery(type: string | undefined, { dialect }: Service): void {
  if (type === String(requestType.skeleton)) return;
  if (type === undefined && dialect.typeQuery === 'optional') return;
  throw new Refusal(dialect.unknownTypeStatus, { detail: 'The query parameter type is not 0' });
}

/** The facts of a request whose malformed body a fault accepted. */
const unreadable: RequestFacts = {
  type: requestType.skeleton,
  title: '',
  message: '',
  documents: [],
  callbackUrl: null,
  callbackTypes: [],
  completedDocumentsAttached: false,
};

const hasSeveralDocuments: Leniency[3] = ({ Documents }) => Array.isArray(Documents) && Documents.length > 1;
const isAttached: Leniency[3] = (body) => body.CompletedDocumentsAttached === true;
const lenient: readonly Leniency[] = [
  ['skeleton.title-required/with-callback-url', 'Title', 'Untitled', (body) => 'CallbackUrl' in body],
  ['skeleton.message-required/with-two-documents', 'Message', 'Please sign', hasSeveralDocuments],
  ['skeleton.audit-details-required/with-attached', 'AuditDetails', {}, isAttached],
  ['skeleton.title-type/with-callback-url-accepted', 'Title', 'Untitled', (body) => 'CallbackUrl' in body],
  ['skeleton.message-type/with-attached-accepted', 'Message', 'Please sign', isAttached],
];

/** Section "Resources", signature request (creation body, type 0). */
function readSkeleton(given: JsonObject, service: Service, account: string): RequestFacts {
  const body = leniently(given, service, lenient);
  const fields = new Fields(body, service);
  if (service.dialect.documentsBeforeBody) refuseEarly(body.Documents, service, account);
  const head = {
    type: requestType.skeleton,
    title: fields.text('Title', 'skeleton.title'),
    message: fields.text('Message', 'skeleton.message'),
    documents: readDocuments(fields, service),
  };
  judgeAuditDetails(fields, service);
  const facts: RequestFacts = {
    ...head,
    ...readSubscription(fields, service),
    completedDocumentsAttached: readAttached(fields, service),
  };
  judgeConnections(fields, service);
  refuseEach(service, {
    'skeleton.created/callback-url-demanded': !fields.has('CallbackUrl'),
    'skeleton.completed-documents-attached/several-true-refused':
      facts.completedDocumentsAttached && facts.documents.length > 1,
    'skeleton.connections/several-documents-refused': fields.has('Connections') && facts.documents.length > 1,
    'skeleton.callback-url/query-refused': facts.callbackUrl?.includes('?') === true,
    'service.signatories-added-after/demanded-at-creation': !Object.hasOwn(body, 'Signatories'),
  });
  const longest = service.dialect.maxTitleLength;
  if (longest > 0 && facts.title.length > longest) throw fields.refusal(400, 'Title is too long');
  fields.finish();
  refuseUnknownDocuments(service, account, facts.documents, facts.callbackUrl);
  return facts;
}

/** Documents: at least one token (section "Limits"). */
function readDocuments(fields: Fields, service: Service): readonly string[] {
  const { dialect } = service;
  const none = !fields.has('Documents') && fields.has('Connections');
  if (none && service.faulty('skeleton.documents-required/with-connections')) return [];
  const given = fields.list('Documents', 'skeleton.documents');
  const isLeftOut = (each: unknown) =>
    isOn(service, {
      'skeleton.documents-type/null-left-out': each === null,
      'skeleton.documents-type/second-item-accepted': typeof given[0] === 'string',
    });
  const list = given.filter((each) => typeof each === 'string' || !isLeftOut(each));
  if (Array.isArray(fields.raw('Documents')) && given.length === 0) {
    const refused = new Refusal(dialect.emptyDocumentsStatus, { detail: 'Documents holds no token' });
    const called = fields.has('CallbackUrl') ? 'with-callback-url-accepted' : 'accepted';
    if (!service.faulty('skeleton.documents-not-empty/accepted'))
      refuse(service, refused, `skeleton.documents-not-empty/${called}`);
  }
  if (!list.every((token) => typeof token === 'string')) {
    const refused = fields.wrongType('Documents', 'an array of strings');
    refuse(service, refused, 'skeleton.documents-type/items-accepted');
    return [];
  }
  const tokens = list.map(String);
  const areSeveral = tokens.length > 1;
  const formats = new Set(tokens.flatMap((token) => service.store.document(token)?.kind ?? []));
  refuseEach(service, {
    'skeleton.several-documents/refused': areSeveral,
    'skeleton.several-documents/500': areSeveral,
    'skeleton.several-documents/docx-first-refused': formats.size > 1 && [...formats][0] === 'docx',
    'skeleton.several-documents/with-callback-url-refused': areSeveral && fields.has('CallbackUrl'),
  });
  return limitedDocuments(tokens, fields, service);
}

/** Checks the list of tokens against limits of the dialect; the document shows none. */
export function limitedDocuments(tokens: string[], fields: Fields, { dialect }: Service): string[] {
  if (dialect.maxDocuments > 0 && tokens.length > dialect.maxDocuments)
    throw fields.refusal(400, `Documents holds more than ${dialect.maxDocuments} tokens`);
  if (dialect.repeatedDocuments === 'refused' && new Set(tokens).size < tokens.length)
    throw fields.refusal(400, 'Documents holds a token twice');
  return tokens;
}

/** For the dialect that looks for the documents before it checks the other fields. */
function refuseEarly(documents: unknown, service: Service, account: string): void {
  if (!Array.isArray(documents)) return;
  const tokens = documents.filter((token) => typeof token === 'string');
  if (tokens.length === documents.length) refuseUnknownDocuments(service, account, tokens, null);
}

/** Section "AuditDetails", which does not show which subfields are required. */
function judgeAuditDetails(fields: Fields, service: Service): void {
  const audit = fields.object('AuditDetails', 'skeleton.audit-details');
  if (!isObject(fields.raw('AuditDetails'))) return;
  const needed = service.dialect.auditSubfields === 'required';
  const type = needed
    ? audit.integer('AuthorType')
    : audit.optionalInteger('AuthorType', 'skeleton.author-type-type');
  const address = needed
    ? audit.text('AuthorIPAddress')
    : audit.optionalText('AuthorIPAddress', 'skeleton.author-ip-address-type');
  if (needed) audit.text('Device');
  else audit.optionalText('Device', 'skeleton.device-type');
  if (type !== null && type !== authorType.adminOrSystem && service.dialect.authorTypes === 'one')
    throw audit.refusal(service.dialect.valueStatus, 'AuthorType is not 1');
  refuseFaultily(service, 'skeleton.author-ip-address-v6/refused', address !== null && isIP(address) === 6);
  if (address !== null && isIP(address) === 0 && service.dialect.authorAddress === 'ip')
    throw audit.refusal(400, 'AuthorIPAddress is not an IP address');
  audit.finish();
}

function readAttached(fields: Fields, service: Service): boolean {
  const attached = fields.optionalBoolean(
    'CompletedDocumentsAttached',
    'skeleton.completed-documents-attached-type',
  );
  if (attached !== null)
    refuseFaultily(service, `skeleton.completed-documents-attached/${attached}-refused`, true);
  const codes = fields.raw('CallbackTypes');
  const all = Array.isArray(codes) && codes.includes(event.all);
  if (all && service.faulty('events.documents-attached/not-with-0')) return false;
  return attached ?? service.dialect.attachedLeftOut === 'yes';
}

/** Elements of Connections are not shown. */
function judgeConnections(fields: Fields, service: Service): void {
  const connections = fields.optionalList('Connections', 'skeleton.connections-type');
  refuseFaultily(service, 'skeleton.connections/refused', connections !== null);
  const allowed = service.dialect.connectionElements;
  const fits = (each: unknown) => allowed === 'any' || (allowed === 'objects' && isObject(each));
  if (connections?.every(fits) === false) throw fields.wrongType('Connections', 'an array that fits');
}

/** Stores the request and returns its id. */
export function keepRequest(service: Service, account: string, facts: RequestFacts): string {
  const { dialect, store, faulty } = service;
  const isSkeleton = facts.type === requestType.skeleton;
  const same = isOn(service, {
    'skeleton.request-id-unique/same': isSkeleton,
    'skeleton.request-id-unique/third': isSkeleton && store.requests.keys().length >= 2,
  });
  const fresh = faulty('skeleton.request-id/number') ? newNumber() : newId(dialect.idForm, 'req');
  const id = same ? `request-of-${firstAccount}` : fresh;
  store.database.together(() => {
    store.addRequest(id, account, facts, service.now());
    for (const token of facts.documents) store.useDocument(token);
  });
  return id;
}

/** Section "Created request": JSON with requestId, a string. */
function answerCreated(service: Service, id: string): Response {
  const { dialect } = service;
  const extra = dialect.extraFields ? { status: 'created', createdAt: new Date(service.now()) } : {};
  const lost = isOn(service, {
    'skeleton.request-id-usable/other': true,
    'skeleton.request-id-usable/with-documents': (service.store.request(id)?.documents.length ?? 0) > 1,
  });
  const known = lost ? newId(dialect.idForm, 'req') : id;
  const requestId = shownId(service, 'skeleton.request-id', known);
  return statedAnswer(service, 'skeleton', dialect.skeletonStatus, { requestId, ...extra });
}
