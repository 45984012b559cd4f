/** The contract at run time: the document, its operations, and validation against it. */
import { readFileSync } from 'node:fs';
import type { OpenAPIV3_1 } from 'openapi-types';
import { parse } from 'yaml';
import { dereference, isObject } from './dereference.ts';
import type { JsonSchema, Marks } from './json-schema.ts';
import type { RequirementId } from './requirements/catalogue.ts';
import type { OperationId } from './requirements/requirement.ts';
import { nearestRequirement, type Problem, problemsOf } from './shape.ts';

/** A place at which an answer breaks the contract, with the one requirement that is marked there. */
interface Violation extends Problem {
  readonly requirement: RequirementId;
}

type OperationObject = OpenAPIV3_1.OperationObject<Marks>;

interface ContractOperation {
  readonly id: OperationId;
  /** Request method in capitals. */
  readonly method: string;
  /** Path below the base URL, with `{name}` for path parameters. */
  readonly path: string;
  readonly object: OperationObject;
}

/** The contract as written, with its references. Compiled code reads it as JSON, since parsing YAML takes long. */
export const contract: OpenAPIV3_1.Document<Marks> = import.meta.url.endsWith('.ts')
  ? parse(textOf('esign.openapi.yaml'))
  : JSON.parse(textOf('esign.openapi.json'));

function textOf(name: string): string {
  return readFileSync(new URL(name, import.meta.url), 'utf8');
}

export const contractVersion: string = contract.info.version;

const resolved = dereference(contract);

export const operations: readonly ContractOperation[] = Object.entries(resolved.paths ?? {}).flatMap(
  ([path, item]) =>
    Object.entries(item ?? {}).flatMap(([method, part]: [string, unknown]) => {
      if (!isObject(part) || typeof part.operationId !== 'string') return [];
      const id = part.operationId as OperationId;
      return [{ id, method: method.toUpperCase(), path, object: part as unknown as OperationObject }];
    }),
);

export function operation(id: OperationId): ContractOperation {
  const found = operations.find((candidate) => candidate.id === id);
  if (!found) throw new Error(`the contract has no operation ${id}`);
  return found;
}

/**
 * The schema of an operation's JSON body, references resolved. That of `createRequest` allows anything, since
 * the bodies of types 1 and 2 are not shown.
 * @throws Error for `uploadDocument`, whose body is a file
 */
export function requestSchema(id: OperationId): JsonSchema {
  const content = jsonContent(operation(id).object.requestBody);
  if (!content) throw new Error(`the contract shows no JSON body for ${id}`);
  return content.schema;
}

/**
 * The mistakes in a JSON body that is to be sent, by the contract alone; empty when there are none.
 * `createRequest` counts as its type 3, whose body is that of `createStampedRequest`.
 * @throws Error for `uploadDocument`, whose body is a file
 */
export function validateRequest(id: OperationId, body: unknown): Problem[] {
  const schema = requestSchema(id === 'createRequest' ? 'createStampedRequest' : id);
  return problemsOf(schema, body).map(({ pointer, message }) => ({ pointer, message }));
}

/**
 * The mistakes in an answer. Only successes are judged: 2xx of `createSkeletonRequest` and `addSignatory`, whose shape
 * the document states, and the success of `createStampedRequest`, whose status it states. A body that is JSON counts
 * as JSON with any Content-Type.
 * @param mediaType Content-Type as received, for the message alone; empty when there was none
 */
export function validateResponse(
  id: OperationId,
  status: number,
  mediaType: string,
  text: string,
): Violation[] {
  const contract = operation(id);
  const [requirement, ...others] =
    (contract.object.responses?.['200'] as Marks | undefined)?.['x-requirements'] ?? [];
  // For endpoint 2, the status of each type is a requirement of its own.
  if (requirement && others.length === 0 && status !== 200 && Math.floor(status / 100) === 2)
    return [{ requirement, pointer: '', message: `is a success with the status ${status}, not 200` }];
  const content = jsonContent(responseTo(contract, status));
  const json = content?.['x-requirements']?.[0];
  if (!content || !json) return [];
  const body = parseJson(text);
  if (body === undefined) {
    const declared = mediaType === '' ? 'no Content-Type' : `Content-Type ${mediaType}`;
    return [
      { requirement: json, pointer: '', message: `is ${text === '' ? 'empty' : 'not JSON'} (${declared})` },
    ];
  }
  return problemsOf(content.schema, body).map(({ pointer, message, steps }) => ({
    requirement: nearestRequirement(content.schema, steps) ?? json,
    pointer,
    message,
  }));
}

/** The value, or `undefined` when the text is no JSON. The reason is dropped, since it would quote the text. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
}

function responseTo({ object }: ContractOperation, status: number): unknown {
  const responses: Readonly<Record<string, unknown>> = object.responses ?? {};
  return responses[String(status)] ?? responses[`${Math.floor(status / 100)}XX`];
}

/** The JSON content of a request body or of a response, where the contract shows its schema. */
function jsonContent(part: unknown): (Marks & { readonly schema: JsonSchema }) | null {
  const content = isObject(part) ? part.content : undefined;
  const json = isObject(content) ? content['application/json'] : undefined;
  return isObject(json) && isObject(json.schema) ? { ...json, schema: json.schema } : null;
}
