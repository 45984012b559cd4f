/** Types of smoke.mjs, which is JavaScript because it runs before any package is installed. */
export function smoke(folder: string, node?: string): Promise<Record<string, number>>;
