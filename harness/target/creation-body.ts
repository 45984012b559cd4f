/** Bodies of creations of types 1 and 2, which stand in the profile, and fields that the profile adds to every creation. */
import type { Person } from '../../generators/people.ts';
import type { CreateSettings, CreationSettings } from '../profile/schema.ts';
import { fillJson, type Variables } from '../profile/template.ts';
import { isObject, mapTexts } from '../untrusted/payload/tree.ts';

interface CreationIngredients {
  readonly title: string;
  readonly message: string;
  readonly documents: readonly string[];
  /** At least one person for each role. */
  readonly people: readonly Person[];
}

/** How many people a creation needs: one for each role of its template. */
export const peopleOf = ({ roles }: CreationSettings): number => roles?.length ?? 1;

/** The body of a creation of type 1 or 2, as the profile gives it, with its variables filled in. */
export function filledCreation(
  { id: templateId, roles = [''], signatory, body }: CreationSettings,
  { title, message, documents, people }: CreationIngredients,
): unknown {
  const common: Variables = { title, message, documentToken: documents[0], templateId };
  const signatories = roles.map((role, index) => {
    const someone = people[index];
    if (!someone) throw new Error(`a creation with ${roles.length} roles was given ${people.length} people`);
    const { email, name, mobileNumber } = someone;
    return { ...common, role, order: String(index + 1), email, name, mobileNumber };
  });
  const lists = new Map<string, readonly unknown[]>([['{documents}', documents]]);
  if (signatory !== undefined)
    lists.set(
      '{signatories}',
      signatories.map((variables, index) => ordered(fillJson(signatory, variables), signatory, index + 1)),
    );
  return fillJson(
    mapTexts(body, (text) => lists.get(text) ?? text),
    signatories[0] ?? common,
  );
}

/** A field that is nothing but "{order}" becomes a number, since Order is one. */
function ordered(filled: unknown, template: unknown, order: number): unknown {
  if (template === '{order}') return order;
  if (Array.isArray(filled) && Array.isArray(template))
    return filled.map((item, index) => ordered(item, template[index], order));
  if (!isObject(filled) || !isObject(template)) return filled;
  return Object.fromEntries(
    Object.entries(filled).map(([key, item]) => [key, ordered(item, template[key], order)]),
  );
}

/** The body with the fields that the profile adds to every creation; fields that it already has stay. */
export function withConstantFields(body: unknown, { fields }: Pick<CreateSettings, 'fields'>): unknown {
  return fields && isObject(body) ? { ...fields, ...body } : body;
}
