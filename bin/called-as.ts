/** The words with which the user calls the program, and printed commands that can be pasted. */
import { resolve } from 'node:path';
import { inSingleQuotes } from '../record/curl.ts';

/** The program's name in texts for people, as they call it. */
export function calledAs(): string {
  if (process.env.npm_lifecycle_event === 'conformance') return 'npm run conformance --';
  return commandLine(...(byNpx() ?? ['esign-conformance']));
}

/** A message of other parts, which call the program `esign-conformance`, with the name as the user calls it. */
export function asCalled(message: string): string {
  return message.replaceAll(/\besign-conformance (?=[a-z])/g, `${calledAs()} `);
}

/** The command that removes what a run left, to be pasted from where this one was called. */
export function cleanupCommand(out: string, target: string | undefined): string {
  return commandLine(
    ...program(),
    'cleanup',
    out,
    '--target',
    target === undefined ? 'PROFILE' : resolve(target),
  );
}

/** The words before the command where npx started the program, since it is then not on the PATH. */
function byNpx(): string[] | undefined {
  const { npm_lifecycle_event: event, npm_lifecycle_script: script = '', npm_config_package } = process.env;
  if (event !== 'npx' || !/^['"]?esign-conformance\b/.test(script)) return undefined;
  return ['npx', ...(npm_config_package ? ['--package', npm_config_package] : []), 'esign-conformance'];
}

/** The words with which this process was started, up to the command. */
function program(): string[] {
  const { npm_lifecycle_event: script, INIT_CWD: from = process.cwd() } = process.env;
  const [, entry = ''] = process.argv;
  if (script === 'conformance') {
    const elsewhere = from === process.cwd() ? [] : ['--prefix', process.cwd()];
    return ['npm', ...elsewhere, 'run', 'conformance', '--'];
  }
  return byNpx() ?? (entry.endsWith('.mjs') ? ['node', entry] : ['esign-conformance']);
}

/** A command that can be pasted into a shell: words with blanks or special characters are quoted. */
export const commandLine = (...words: readonly string[]): string => words.map(quoted).join(' ');

function quoted(word: string): string {
  if (process.platform === 'win32') return /^[\w:\\/.@=,+-]+$/.test(word) ? word : `"${word}"`;
  return /^[\w%+=:,./@-]+$/.test(word) ? word : inSingleQuotes(word);
}
