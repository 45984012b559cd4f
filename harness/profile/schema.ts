/** The target profile: how a service fills the gaps of the interface document, as a schema and its type. */
import { type Static, Type } from '@sinclair/typebox';
import {
  atLeast,
  list,
  literals,
  mapping,
  nonEmpty,
  object,
  optional,
  text,
} from '../../record/schema-parts.ts';
import { limits } from '../untrusted/limits.ts';
import { Auth } from './auth-settings.ts';
import { CallbackSettings } from './callback-settings.ts';
import { aPlace, CallTemplate, callThat, milliseconds, placeSchema, textsByName } from './parts.ts';
import { Mailbox, OutboxSettings, Signing } from './signing-settings.ts';

const variables = '{title}, {message}, {documentToken}, {email}, {name} and {mobileNumber} are filled in';
const signatory = Type.Unknown({
  description: 'One signatory of the body, with {role}, {order}, {email}, {name} and {mobileNumber}.',
});
const body = Type.Unknown({
  description: `A body that the target takes as valid. ${variables}; {templateId} too; a text that is "{documents}" or "{signatories}" and nothing else becomes the list of document tokens, or of a signatory for each role.`,
});

const Template = mapping(
  {
    id: nonEmpty('Id of the template, {templateId} in the body.'),
    roles: Type.Array(Type.String({ minLength: 1 }), {
      minItems: 1,
      description: 'Roles of the template, each of which gets a person of its own in {signatories}.',
    }),
    signatory,
    body,
  },
  'Creation of type 1, from a template.',
  ['body'],
);

const Fixed = mapping({ signatory, body }, 'Creation of type 2, with fixed positioning.', ['body']);

const idAt = (description: string) =>
  Type.Union([Type.Literal('none', { description: 'They give none.' }), aPlace(description)], {
    description,
  });

const Create = mapping(
  {
    template: Template,
    fixed: Fixed,
    fields: Type.Record(text(), Type.Unknown(), {
      description: 'Fields that every body of types 1 to 3 carries too, with the same value each time.',
    }),
    requestId: idAt('Where the id of the request stands in the answers of types 1 to 3.'),
    signatoryId: idAt('Where the id of the first signatory stands in these answers.'),
    field: nonEmpty('Multipart field that carries the JSON of types 1 to 3, for targets that want it so.'),
    formFields: textsByName(
      'Other fields of that multipart body, with the same text each time; needs field.',
    ),
  },
  'Creation of types 1 to 3, whose bodies and answers are shown in part only.',
);

export type CreateSettings = Static<typeof Create>;
export type CreationSettings = Static<typeof Template>;

const mediaType = (format: string) =>
  Type.String({ pattern: '^[^\\s/]+/[^\\s/]+', description: `Content-Type of a ${format} file.` });

const ContentTypes = mapping(
  { pdf: mediaType('PDF'), doc: mediaType('DOC'), docx: mediaType('DOCX') },
  'Content-Type of each format, of the part or of the raw body, where the target wants another one than the registered one. Without it a raw body that is refused is sent once more as application/octet-stream.',
);

/** The JSON body of an upload where the profile has none. */
export const uploadBody = { file: '{file}', fileName: '{name}' };

const Upload = mapping(
  {
    encoding: literals(
      ['auto', 'multipart', 'raw', 'json'],
      'A part of multipart/form-data, the body itself, or in base64 within JSON; auto tries the usual ways of the first two with the first document.',
      'auto',
    ),
    field: nonEmpty('Field of the multipart body; "file" by default.'),
    fields: textsByName('Other fields of the multipart body, with the same text for each file.'),
    body: Type.Unknown({
      description: `The body with \`encoding: json\`; ${JSON.stringify(uploadBody)} by default. {file} is filled in with the file in base64, {name} with its name and {mediaType} with its Content-Type.`,
    }),
    contentTypes: ContentTypes,
    fileName: Type.Union(
      [
        object({
          header: nonEmpty('Name of a header field.'),
          value: optional(
            Type.String({
              pattern: '\\{name\\}',
              default: '{name}',
              description:
                'Value of the header field, with {name} for the percent-encoded file name: for example attachment; filename="{name}".',
            }),
          ),
        }),
        object({ query: nonEmpty('Name of a query parameter.') }),
      ],
      { description: 'Where the file name goes besides the multipart part.' },
    ),
    token: Type.Union(
      [Type.Literal('auto'), aPlace('A place; the empty JSON Pointer is a bare JSON string.')],
      { description: 'Where the document token stands in the answer; auto looks for it.' },
    ),
  },
  'How a document is uploaded, and where its token stands in the answer.',
);

/** Settings of calls where the profile has none. */
export const addressDefaults = {
  // A person should not wait longer than this for the first line, even where a target never answers.
  deadlineMs: 8_000,
  connectMs: 4_000,
  maxResponseBytes: limits.answerBytes.most,
  visibleAfterMs: 2_000,
} as const;

/** A target that is slower than this now and then would be blamed for what it did not answer: less counts as this. */
export const addressLeast = { deadlineMs: 1_000, visibleAfterMs: addressDefaults.visibleAfterMs } as const;

const Address = mapping(
  {
    baseUrl: Type.String({ pattern: '^https?://', description: 'Base URL; may have a path.' }),
    ca: text('File with the CA certificate (PEM) of the target.'),
    headers: textsByName('Header fields that are added to every call.'),
    query: textsByName('Query parameters that are added to every call.'),
    deadlineMs: milliseconds(
      `How long one call may take as a whole; ${addressDefaults.deadlineMs} by default, and less than ${addressLeast.deadlineMs} counts as that.`,
    ),
    connectMs: milliseconds(
      `How long it may take to get connected; ${addressDefaults.connectMs} by default.`,
    ),
    maxResponseBytes: atLeast(
      1024,
      `A longer answer is cut off; ${addressDefaults.maxResponseBytes / 1024 / 1024} MiB by default.`,
    ),
    perSecond: Type.Number({ exclusiveMinimum: 0, description: 'Calls a second at most.' }),
    inFlight: Type.Integer({ minimum: 1, maximum: 256, description: 'Calls at the same time at most.' }),
    visibleAfterMs: milliseconds(
      `How long a fresh id may be answered with 404, and three times that in the words of the document; ${addressDefaults.visibleAfterMs} by default, and less counts as that. Retries are reported.`,
    ),
  },
  'Where the target is, and how it may be called.',
  ['baseUrl'],
);

const person = '{requestId}, {signatoryId}, {email}, {name}, {mobileNumber}';

const Calls = mapping(
  {
    deleteRequest: callThat('Deletes the request {requestId}.'),
    invalidateDocument: callThat('Makes the document token {documentToken} invalid.'),
    expireToken: callThat(
      'Makes the access token {token} expire, or gives one that has: result leads to it then.',
    ),
    send: callThat('Sends the request {requestId} to its signatories.'),
    stamps: callThat('Places the stamps of a signatory: {requestId}, {signatoryId}.'),
    status: mapping(
      {
        ...CallTemplate.properties,
        completed: Type.Array(text(), {
          minItems: 1,
          description: 'States of a request that everybody has completed; the usual words by default.',
        }),
      },
      'Tells how far the request {requestId} is: result leads to its state.',
      ['method', 'url'],
    ),
    sign: callThat(
      `Signs as a person: ${person}; {otp}, {otpEmail}, {otpSms} and {accessCode} for the codes, {link} of the e-mail or its {token}.`,
    ),
    approve: callThat('Approves as a person, with the variables of sign.'),
    complete: callThat(
      'Signs or approves, for targets with one call for both: stands for sign and approve where these are absent. Variables as sign, and {act}, which is sign or approve.',
    ),
    decline: callThat(
      `Declines as a person: ${person}, {link} of the e-mail or its {token}. Only a run with --explore does it, with a request of its own, to see what follows.`,
    ),
    requestOtp: callThat(
      `Makes the target send a one-time password: ${person}, {link} of the e-mail or its {token}.`,
    ),
    view: callThat(
      `Shows what a person sees before they act: ${person}, {link} of the e-mail or its {token}.`,
    ),
    viewDocument: callThat(
      `Shows the document to a person: ${person}, {link} of the e-mail or its {token}; with {documentIndex} (from 0) or {documentNumber} (from 1) it is made for each document of the request.`,
    ),
    completedDocuments: callThat(
      'Gives the signed PDF of the request {requestId}, or a list of them to which result leads.',
    ),
    download: callThat('Gives one signed PDF of that list: {requestId}, {document}.'),
  },
  'Calls that the interface document speaks of but does not show.',
);

/** Limits of a run where the profile sets none. */
export const limitsByDefault = { signatories: 10, documents: 2, requests: 100 } as const;

const Limits = mapping(
  {
    signatories: atLeast(3, `Signatories of one request; ${limitsByDefault.signatories} by default.`),
    documents: atLeast(1, `Documents of one request; ${limitsByDefault.documents} by default.`),
    uploadBytes: atLeast(1, 'Bytes of one document.'),
    titleLength: atLeast(30, 'Characters of a Title; 30 at least.'),
    messageLength: atLeast(30, 'Characters of a Message; 30 at least.'),
    documentUses: atLeast(1, 'Requests in which one document token may be used.'),
    requests: atLeast(1, `Signature requests that a run may create; ${limitsByDefault.requests} by default.`),
  },
  'What the target allows at most, though the interface document shows no limits.',
);

const People = mapping(
  {
    email: Type.String({
      pattern: '^[^@\\s]*\\{n\\}[^@\\s]*@[^@\\s]+$',
      description: 'Address of a person: {run} is the run id, {n} the number of the person.',
    }),
    mobileNumbers: Type.Array(
      Type.String({ pattern: '^[^A-Za-z0-9]*([0-9][^A-Za-z0-9]*){4,20}$', maxLength: 40 }),
      {
        minItems: 1,
        description:
          'Mobile numbers that may be used, as the target wants them written; used one after the other.',
      },
    ),
  },
  'People whom the target may write to. Reports show pseudonyms of them. By default they are invented, at domains and numbers that belong to nobody.',
);

const Keys = mapping(
  {
    $schema: text('JSON Schema of this file, for editors.'),
    extends: text('Another profile, relative to this one, whose keys stand where this one has none.'),
    name: nonEmpty('How reports call the target.'),
    environment: literals(
      ['sandbox', 'production'],
      'In production a run is a smoke run: one signature request, nothing invalid, nobody signs; all else is not applicable.',
      'sandbox',
    ),
    address: Address,
    auth: Auth,
    upload: Upload,
    create: Create,
    calls: Calls,
    signing: Signing,
    outbox: OutboxSettings,
    callbacks: CallbackSettings,
    limits: Limits,
    people: People,
    tolerate: mapping(
      {
        numericIds: Type.Boolean({
          description:
            'Go on with ids that are JSON numbers; the requirement that they are strings still fails.',
        }),
      },
      'What the target does otherwise than documented, so that the other checks can go on.',
    ),
    mustRun: list(text(), 'Areas or requirement ids that must not be not-applicable.'),
    notApplicable: Type.Record(text(), Type.String({ minLength: 1 }), {
      description:
        'Areas or requirement ids that this target does not offer, each with the reason that the report quotes.',
    }),
  },
  undefined,
  ['address', 'auth'],
);

export const ProfileSchema = {
  ...Keys,
  $id: 'https://esign-conformance.example/profile.schema.json',
  title: 'esign-conformance target profile',
  $defs: { place: placeSchema, call: CallTemplate, mailbox: Mailbox },
};

export type Profile = Static<typeof ProfileSchema>;
export type CallName = keyof Static<typeof Calls>;

/** The name of the reference service that a run without a target starts. */
export const referenceName = 'reference service';

/** The name of the target: the one in the profile, or the host. */
export function targetName({ name, address }: Pick<Profile, 'name' | 'address'>): string {
  return name ?? new URL(address.baseUrl).host;
}
