/** Work in stages: a stage that breaks is kept by its name, and the others are done all the same. */
import { FileTrouble } from './files.ts';

/** Errors whose message is complete for the user. */
const complete = ['FileTrouble', 'ConfigurationError', 'CouldNotRun'];

export class Stages {
  /** Names of the stages that broke, grouped by the error: a full disk breaks many in the same way. */
  readonly #broken = new Map<string, Set<string>>();
  #first: { readonly error: unknown } | undefined;

  /** What broke, a sentence each; empty when nothing did. */
  get problems(): string[] {
    return [...this.#broken].map(([what, names]) => `${[...names].join(', ')}: ${what}`);
  }

  get count(): number {
    return [...this.#broken.values()].reduce((sum, names) => sum + names.size, 0);
  }

  /** The result of a stage; `instead` where it breaks. */
  async run<T, I>(name: string, work: () => Promise<T> | T, instead: I): Promise<T | I> {
    try {
      return await work();
    } catch (error) {
      this.note(name, error);
      return instead;
    }
  }

  now<T, I>(name: string, work: () => T, instead: I): T | I {
    try {
      return work();
    } catch (error) {
      this.note(name, error);
      return instead;
    }
  }

  /** Keeps an error that happened outside of a stage. */
  note(name: string, error: unknown): void {
    const what = inWords(error);
    this.#broken.set(what, (this.#broken.get(what) ?? new Set()).add(name));
    this.#first ??= { error };
  }

  /** @throws the first error, when there was one: for work that must be complete, and is done to its end all the same */
  assertWhole(): void {
    if (this.#first) throw this.#first.error;
  }
}

function inWords(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code, path } = error as NodeJS.ErrnoException;
  if (error instanceof FileTrouble) return `cannot be written to ${error.folder} (${error.because})`;
  if (code !== undefined && path !== undefined) return new FileTrouble(path, error).message;
  return complete.includes(error.name) ? error.message : `broke (${error.name}: ${error.message})`;
}
