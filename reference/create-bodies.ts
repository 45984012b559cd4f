/** Bodies of types 1, 2 and 3. The document shows that of type 3; those of types 1 and 2 are this service's own. */
import { requestType, role } from '../openapi/codes.ts';
import { autoStamping } from './auto-stamping.ts';
import { readSubscription } from './callback-fields.ts';
import type { Fields } from './fields.ts';
import type { RequestFacts, SignatoryFacts, Stamp } from './model.ts';
import { refuseFaultily } from './rules.ts';
import type { Service } from './service.ts';
import { type ParticipantKind, readParticipant, upperCaseRole } from './signatory-body.ts';
import { limitedDocuments } from './skeleton.ts';
import { agreement, agreementDocument } from './templates.ts';

export interface NewRequest {
  readonly facts: RequestFacts;
  readonly signatories: readonly SignatoryFacts[];
}

/** Type 1: TemplateId, Title, Message, and one of Signatories with its Role for each role of the template. */
export async function readTemplateBody(
  fields: Fields,
  service: Service,
  account: string,
): Promise<NewRequest> {
  if (fields.text('TemplateId') !== agreement.id)
    throw fields.refusal(400, `TemplateId is not known; there is ${agreement.id}`);
  const given = fields.objects('Signatories');
  if (given.length > agreement.parts.length)
    throw fields.refusal(400, 'Signatories: there are more than the template has roles');
  const signatories: SignatoryFacts[] = [];
  for (const part of agreement.parts) {
    const filled = given.find((each) => each.text('Role') === part.name);
    if (!filled) throw fields.refusal(400, `Signatories: nobody has the Role ${part.name}`);
    const kind: ParticipantKind = {
      role: () => part.role,
      otpType: (otp) => otp.integer('Type'),
      stamps: () => part.stamps,
      orderOptional: true,
    };
    signatories.push(await readParticipant(filled, service, kind));
  }
  const more = fields.optionalList('Documents')?.map(String) ?? [];
  const head = readHead(fields, service);
  const documents = [agreementDocument(service, account), ...more];
  return { facts: { ...head, type: requestType.template, documents }, signatories };
}

/** Type 2: like type 3, but with Stamps at fixed positions in points from the lower left corner of a page. */
export async function readFixedBody(fields: Fields, service: Service): Promise<NewRequest> {
  const kind: ParticipantKind = {
    role: upperCaseRole,
    otpType: (otp) => otp.integer('Type'),
    stamps: (signatory) =>
      readFixedStamps(signatory, String(signatory.raw('Email')), fields.list('Documents').length),
    orderOptional: true,
  };
  return readDirect(fields, service, requestType.fixed, kind);
}

/** Type 3 (section "Endpoints", 3): Message, Title, Documents and Signatories. */
export async function readStampingBody(fields: Fields, service: Service): Promise<NewRequest> {
  return readDirect(fields, service, requestType.autoStamping, autoStamping(service));
}

async function readDirect(
  fields: Fields,
  service: Service,
  type: 2 | 3,
  kind: ParticipantKind,
): Promise<NewRequest> {
  const documents = readTokens(fields, service);
  const given = fields.objects('Signatories');
  if (given.length === 0) throw fields.refusal(400, 'Signatories is empty');
  refuseFaultily(service, 'stamping.several-signatories/refused', given.length > 1);
  const signatories: SignatoryFacts[] = [];
  for (const each of given) signatories.push(await readParticipant(each, service, kind));
  refuseFaultily(service, 'stamping.signatory-fields/lower-later-refused', !ascend(signatories));
  if (signatories.every((each) => each.role === role.cc))
    throw fields.refusal(400, 'Signatories: nobody can sign or approve');
  const orders = new Set(signatories.map(({ order }) => order));
  if (service.dialect.orders === 'without-gaps' && Math.max(...orders) > orders.size)
    throw fields.unlike('orders', 'Signatories: an Order is left out');
  judgeIdentifiers(fields, service, signatories);
  return { facts: { ...readHead(fields, service), type, documents }, signatories };
}

const ascend = (all: readonly { readonly order: number }[]) =>
  all.every(({ order }, at) => order >= (all[at - 1]?.order ?? order));

/** Section "AutoStamp": Identifier is a unique name; in which scope it is unique is not shown. */
function judgeIdentifiers(fields: Fields, { dialect }: Service, people: readonly SignatoryFacts[]): void {
  const names = people.map(({ stamps }) => stamps.map(({ identifier }) => identifier));
  const scopes = { request: [names.flat()], signatory: names, nothing: [] }[dialect.stampIdentifiers];
  if (scopes.some((scope) => new Set(scope).size < scope.length))
    throw fields.refusal(400, 'An Identifier stands there twice');
}

function readTokens(fields: Fields, service: Service): readonly string[] {
  const tokens = fields.list('Documents');
  if (tokens.length === 0) throw fields.refusal(400, 'Documents holds no token');
  if (!tokens.every((token) => typeof token === 'string'))
    throw fields.wrongType('Documents', 'an array of strings');
  refuseFaultily(service, 'stamping.several-documents/refused', tokens.length > 1);
  return limitedDocuments(tokens.map(String), fields, service);
}

type Head = Omit<RequestFacts, 'type' | 'documents'>;

/** The fields that all three types share. Callbacks of these types are not shown; here they work like those of type 0. */
function readHead(fields: Fields, service: Service): Head {
  const head: Head = {
    title: fields.text('Title'),
    message: fields.text('Message'),
    ...readSubscription(fields, service),
    completedDocumentsAttached: fields.optionalBoolean('CompletedDocumentsAttached') ?? false,
  };
  fields.optionalObject('AuditDetails');
  fields.optionalList('Connections');
  fields.finish();
  return head;
}

/** `Stamps`, or nothing where it is absent: positions in points from the lower left corner of a page. */
export function readFixedStamps(fields: Fields, owner: string, documents: number): readonly Stamp[] {
  if (!fields.has('Stamps')) return [];
  return fields.objects('Stamps').map((stamp, at) => {
    const document = stamp.optionalInteger('Document') ?? 0;
    if (document < 0 || document >= documents)
      throw stamp.refusal(400, `${stamp.path('Document')} is none of 0 to ${documents - 1}`);
    const read: Stamp = {
      identifier: stamp.optionalText('Identifier') ?? `${owner} ${at + 1}`,
      type: stamp.text('Type'),
      color: stamp.optionalText('Color'),
      order: at + 1,
      x: stamp.number('X'),
      y: stamp.number('Y'),
      width: stamp.number('Width'),
      height: stamp.number('Height'),
      document,
      page: (stamp.optionalInteger('Page') ?? 1) - 1,
    };
    stamp.finish();
    return read;
  });
}
