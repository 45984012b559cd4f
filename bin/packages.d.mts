/** Types of packages.mjs, which is JavaScript because it runs before any package is installed. */
export function installPackages(root: string): Promise<number>;
export function npmCommand(): [program: string, ...given: string[]];
