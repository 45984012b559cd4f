/** The part of JSON Schema (2020-12) that the contract uses, with every reference resolved. */
import type { GapId } from './gaps/register.ts';
import type { RequirementId } from './requirements/catalogue.ts';

/** Ids that mark a place of the contract. */
export interface Marks {
  /** In the schema of an answer: a value of the wrong shape at this place breaks the first of them. */
  readonly 'x-requirements'?: readonly RequirementId[];
  readonly 'x-gaps'?: readonly GapId[];
}

export interface JsonSchema extends Marks {
  readonly type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean';
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly minLength?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly enum?: readonly (string | number)[];
  readonly const?: string | number | boolean;
  readonly anyOf?: readonly JsonSchema[];
  readonly if?: JsonSchema;
  readonly then?: JsonSchema;
}
