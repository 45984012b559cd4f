/** How the command line is called: an npm script starts it in a checkout. */
export function calledAs(): string {
  return process.env.npm_lifecycle_event === 'conformance' ? 'npm run conformance --' : 'esign-conformance';
}

/** A message of the lower layers, which name the program as it is called where it is installed. */
export function asCalled(message: string): string {
  return message.replaceAll(/\besign-conformance (?=[a-z])/g, `${calledAs()} `);
}

/** A command to be pasted into a shell as it is: words with blanks or signs in them stand in quotes. */
export function commandLine(...words: readonly string[]): string {
  return words.map(quoted).join(' ');
}

function quoted(word: string): string {
  if (process.platform === 'win32') return /^[\w:\\/.@=,+-]+$/.test(word) ? word : `"${word}"`;
  return /^[\w%+=:,./@-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
