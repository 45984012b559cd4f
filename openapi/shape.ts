/** Validates a value by a schema of the contract, and finds the requirement of the place that it breaks. */
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { isObject, pointerSteps } from './dereference.ts';
import type { JsonSchema } from './json-schema.ts';
import type { RequirementId } from './requirements/catalogue.ts';

export interface Problem {
  /** JSON Pointer into the body, also for a missing field; empty for the body as a whole. */
  readonly pointer: string;
  /** Continues a sentence that begins with the place: `is missing`, `must be integer, not string`. */
  readonly message: string;
}

/** A problem, and the path in the schema to the part that found it. */
interface FoundProblem extends Problem {
  readonly steps: readonly string[];
}

export function problemsOf(schema: JsonSchema, body: unknown): FoundProblem[] {
  const validate = validatorOf(schema);
  if (validate(body)) return [];
  const found = (validate.errors ?? []).flatMap(explain);
  // The OTP rule names MobileNumber a second time, so its wrong type would be reported twice.
  return [...new Map(found.map((problem) => [`${problem.pointer} ${problem.message}`, problem])).values()];
}

/** The first requirement at the last place on the path through `schema` that has any. */
export function nearestRequirement(schema: JsonSchema, steps: readonly string[]): RequirementId | undefined {
  let node: unknown = schema;
  let nearest = schema['x-requirements']?.[0];
  for (const step of steps) {
    if (!isObject(node)) break;
    node = node[step];
    if (isObject(node)) nearest = (node as JsonSchema)['x-requirements']?.[0] ?? nearest;
  }
  return nearest;
}

function explain({ keyword, instancePath: pointer, schemaPath, ...error }: ErrorObject): FoundProblem[] {
  const steps = pointerSteps(schemaPath);
  switch (keyword) {
    case 'if': // only says that `then` does not hold; what does not is an error of its own
      return [];
    case 'required': {
      const name = String(error.params.missingProperty);
      const below = [...steps.slice(0, -1), 'properties', name];
      return [{ pointer: `${pointer}/${name}`, message: 'is missing', steps: below }];
    }
    case 'type': {
      const message = `must be ${error.params.type}, not ${kindOf(error.data)}`;
      const missing: readonly string[] = pointer === '' ? (error.parentSchema?.required ?? []) : [];
      if (missing.length === 0) return [{ pointer, message, steps }];
      // A body that is no object lacks all required fields.
      return missing.map((name) => ({
        pointer: `/${name}`,
        message: `is missing: the body ${message}`,
        steps: ['properties', name],
      }));
    }
    case 'enum':
      return [{ pointer, message: `must be one of ${error.params.allowedValues.join(', ')}`, steps }];
    case 'minLength':
    case 'minItems':
      return [{ pointer, message: `must hold at least ${error.params.limit}`, steps }];
    default:
      return [{ pointer, message: error.message ?? `breaks ${keyword}`, steps }];
  }
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

const validators = new Map<JsonSchema, ValidateFunction>();
let compile: ((schema: JsonSchema) => ValidateFunction) | undefined;

function validatorOf(schema: JsonSchema): ValidateFunction {
  compile ??= compiler();
  const validate = validators.get(schema) ?? compile(schema);
  validators.set(schema, validate);
  return validate;
}

/** Loads ajv only when something is validated, since most users of the contract validate nothing. */
function compiler(): (schema: JsonSchema) => ValidateFunction {
  // The lint of the contract validates the schemas; doing it here as well would take 20 ms.
  const ajv = new Ajv2020({
    allErrors: true,
    strict: true,
    verbose: true,
    validateSchema: false,
    code: { optimize: false },
  });
  ajvFormats.default(ajv, ['email', 'uri']);
  ajv.addVocabulary(['x-requirements', 'x-gaps']);
  return (schema) => ajv.compile(schema);
}
