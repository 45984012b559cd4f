/** Types of browser.mjs, which is JavaScript because it runs before any package is installed. */
export function findBrowser(): string | undefined;
export function findOrInstallBrowser(root: string): Promise<string | undefined>;
