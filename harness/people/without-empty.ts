/** Leaves out of a call what would carry nothing: fields and headers that consist of empty variables only. */
import type { CallTemplate } from '../profile/parts.ts';
import type { Variables } from '../profile/template.ts';

/** The template without the fields of JSON objects and the headers that `variables` would leave empty. */
export function withoutEmpty(template: CallTemplate, variables: Variables): CallTemplate {
  const { headers, body, ...rest } = template;
  return {
    ...rest,
    ...(headers === undefined
      ? {}
      : {
          headers: Object.fromEntries(
            Object.entries(headers).filter(([, value]) => !empty(value, variables)),
          ),
        }),
    // A body that is a text as a whole stays: there is nothing that it could be left out of.
    ...(body === undefined ? {} : { body: pruned(body, variables) }),
  };
}

function pruned(value: unknown, variables: Variables): unknown {
  if (Array.isArray(value)) return value.map((item) => pruned(item, variables));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, item]) => !(typeof item === 'string' && empty(item, variables)))
      .map(([key, item]) => [key, pruned(item, variables)]),
  );
}

/** Whether the text is made of variables only that are known and empty. */
function empty(text: string, variables: Variables): boolean {
  if (!/^(?:\{[A-Za-z][A-Za-z0-9]*\})+$/.test(text)) return false;
  const names = text.slice(1, -1).split('}{');
  return names.every((name) => Object.hasOwn(variables, name) && (variables[name] ?? '') === '');
}
