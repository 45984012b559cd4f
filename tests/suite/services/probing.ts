/** Calls the command `probe` in this process, at a terminal that agrees to everything. */
import { type ProbeArguments, type ProbeTerminal, probe } from '../../../bin/probe.ts';

export interface Probed {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly asked: readonly string[];
}

/** @param env variables for as long as the probe lasts */
export async function probing(
  given: ProbeArguments,
  env: Readonly<Record<string, string>> = {},
  terminal: Partial<Pick<ProbeTerminal, 'isTerminal'>> & { readonly answer?: string } = {},
): Promise<Probed> {
  const { isTerminal = true, answer = 'y' } = terminal;
  const said = { stdout: '', stderr: '' };
  const asked: string[] = [];
  const before = { ...process.env };
  Object.assign(process.env, env);
  try {
    const exitCode = await probe(given, {
      isTerminal,
      print: (text) => (said.stdout += text),
      complain: (text) => (said.stderr += text),
      ask: async (question) => {
        asked.push(question);
        return answer;
      },
    });
    return { exitCode, ...said, asked };
  } finally {
    for (const name of Object.keys(env)) {
      const value = before[name];
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
}
