/** The contract with an overlay applied, and what of a run does not fit it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import type { ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { openapiOverlay } from 'openapi-format';
import { parse } from 'yaml';
import { contract } from '../../openapi/contract.ts';
import { dereference } from '../../openapi/dereference.ts';
import type { Run } from '../../reports/run/run.ts';
import { readRun } from '../../reports/run/run-file.ts';
import { withVerdict } from './reports-sample.ts';

interface Overlay {
  readonly overlay: unknown;
  readonly info: unknown;
  readonly extends?: string;
  readonly actions: readonly Readonly<Record<'target' | 'description' | 'update' | 'remove', unknown>>[];
}

/** What the Overlay Specification 1.0.0 (section 4.4) says of a document. */
function expectOverlay({ overlay, info, actions, extends: _, ...more }: Overlay): void {
  expect([overlay, more]).toEqual(['1.0.0', {}]);
  expect(info).toEqual({ title: expect.any(String), version: expect.any(String) });
  expect(actions.length).toBeGreaterThan(0);
  for (const { target, description = '', ...change } of actions) {
    expect([target, description]).toEqual([expect.stringMatching(/^\$/), expect.any(String)]);
    expect([['update'], ['remove']]).toContainEqual(Object.keys(change));
    expect([undefined, true]).toContain(change.remove);
  }
}

/** The contract of the document with the overlay applied; every action has to find its target. */
export async function effective(text: string): Promise<typeof contract> {
  const overlaySet = parse(text);
  expectOverlay(overlaySet);
  const { data, resultData } = await openapiOverlay(structuredClone(contract) as never, { overlaySet });
  expect(resultData.unusedActions).toEqual([]);
  return data as unknown as typeof contract;
}

interface Media {
  readonly schema?: object;
}
type Content = Readonly<Record<string, Media>>;
interface OperationObject {
  readonly operationId?: string;
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
  readonly callbacks?: Readonly<
    Record<string, Record<string, { post: { requestBody: { content: Content } } }>>
  >;
}

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
const compiled = new WeakMap<object, ValidateFunction>();

/** What is wrong with a body by the content that is stated for it. */
function wrong(content: Content | undefined, mediaType: string, text: string | undefined): string[] {
  if (text === undefined) return [];
  const media = content?.[mediaType.split(';', 1)[0]?.toLowerCase() ?? ''] ?? content?.['*/*'];
  if (!media) return [`no content for ${mediaType}`];
  if (!media.schema) return [];
  const validate = compiled.get(media.schema) ?? ajv.compile(media.schema);
  compiled.set(media.schema, validate);
  // Text that is no JSON is a string to its schema.
  const json = /[/+]json\b/.test(mediaType) || /^\s*[[{]/.test(text);
  const value: unknown = json ? JSON.parse(text) : text;
  return validate(value) ? [] : [ajv.errorsText(validate.errors)];
}

/** Everything in a run that its observed contract does not allow. */
function unfitting(document: typeof contract, run: Run): string[] {
  const resolved = dereference(document);
  const operations = Object.entries(resolved.paths ?? {}).map(([path, item]) => ({
    path: new RegExp(`${path.replace('{requestId}', '[^/]+')}$`),
    object: (item as { post: OperationObject }).post,
  }));
  const answers = run.exchanges.flatMap(({ index, operation, request, response }) => {
    const found = operations.find(
      ({ object, path }) => object.operationId === operation && path.test(new URL(request.url).pathname),
    );
    if (!found || !response || response.status >= 500) return [];
    const stated =
      found.object.responses[response.status] ??
      found.object.responses[`${Math.floor(response.status / 100)}XX`];
    const problems = stated
      ? wrong(stated.content, response.body?.mediaType ?? '', response.body?.text)
      : ['no such status'];
    return problems.map((problem) => `exchange ${index}, ${operation} ${response.status}: ${problem}`);
  });
  const callbacks = Object.values(
    operations.find(({ object }) => object.callbacks)?.object.callbacks ?? {},
  ).flatMap((one) => Object.values(one));
  const deliveries = run.deliveries.flatMap(({ id, event, body }) => {
    const content = callbacks[(event ?? 0) - 1]?.post.requestBody.content;
    if (!content || body?.text?.startsWith('(not kept')) return [];
    // A form and a multipart body are no JSON: that their media type is there is all that can be said here.
    const isJson = /^\s*[[{]/.test(body?.text ?? '');
    return wrong(content, body?.mediaType ?? '', isJson ? body?.text : undefined).map(
      (problem) => `delivery ${id}, event ${event}: ${problem}`,
    );
  });
  return [...answers, ...deliveries];
}

/** The contract with the overlay of a run that blamed nobody, which is valid and fits what was seen. */
export async function fits(out: string): Promise<typeof contract> {
  const run = readRun(out);
  for (const verdict of ['failed', 'error'] as const) expect(withVerdict(run, verdict), verdict).toEqual([]);
  const document = await effective(readFileSync(join(out, 'observed.overlay.yaml'), 'utf8'));
  expect(unfitting(document, run)).toEqual([]);
  return document;
}

/** The operation of the contract at a path. */
export function operationAt(document: typeof contract, path: string) {
  const item: unknown = document.paths?.[path];
  return (item as { post: OperationObject & { requestBody: { content: Content } } }).post;
}

export const paths = {
  upload: '/_apis/sign/thumbs/api/Requests/document',
  skeleton: '/_apis/sign/api/v2/requests',
  stamped: '/_apis/sign/api/Requests',
};
