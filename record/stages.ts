/** Work in stages: each is done whatever became of the others; what broke is kept by name, and the rest goes on. */
import { FileTrouble } from './files.ts';

/** Errors whose message is complete for the user. */
const complete = ['FileTrouble', 'ConfigurationError', 'CouldNotRun'];

export class Stages {
  /** Names of the stages that broke, by what became of them; a full disk breaks many in the same way. */
  readonly #broken = new Map<string, Set<string>>();
  #first: { readonly error: unknown } | undefined;

  /** What broke, a sentence each; empty when nothing did. */
  get problems(): string[] {
    return [...this.#broken].map(([what, names]) => `${[...names].join(', ')}: ${what}`);
  }

  /** How many stages broke. */
  get count(): number {
    return [...this.#broken.values()].reduce((sum, names) => sum + names.size, 0);
  }

  /** What a stage gives; `instead` where it breaks. */
  async run<T, I>(name: string, work: () => Promise<T> | T, instead: I): Promise<T | I> {
    try {
      return await work();
    } catch (error) {
      this.note(name, error);
      return instead;
    }
  }

  /** The same for what does not wait. */
  now<T, I>(name: string, work: () => T, instead: I): T | I {
    try {
      return work();
    } catch (error) {
      this.note(name, error);
      return instead;
    }
  }

  /** Keeps what broke elsewhere. */
  note(name: string, error: unknown): void {
    const what = inWords(error);
    this.#broken.set(what, (this.#broken.get(what) ?? new Set()).add(name));
    this.#first ??= { error };
  }

  /** @throws what broke first, when something did: for work that is all or nothing, done to its end all the same */
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
