/** Runs a recorded command line in a shell: with curl, or with a stand-in where there is none. */
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Understands the options that recorded commands have, and gives them the meaning that curl does. */
const standIn = `#!${process.execPath}
const { readFileSync } = require('node:fs');
const http = require('node:http');
const given = process.argv.slice(2);
const headers = new Map([['Content-Type', 'application/x-www-form-urlencoded']]);
let method = 'GET', url = '', body, typed = false;
while (given.length > 0) {
  const word = given.shift();
  if (word === '-X') method = given.shift();
  else if (word === '-I') method = 'HEAD';
  else if (word === '-s' || word === '-g') continue;
  else if (word === '-H') {
    const line = given.shift();
    const name = /^[^:;]+/.exec(line)[0];
    const key = [...headers.keys()].find((each) => each.toLowerCase() === name.toLowerCase()) ?? name;
    headers.delete(key);
    typed ||= key === 'Content-Type';
    if (line.endsWith(';')) headers.set(name, '');
    else if (!line.endsWith(':')) headers.set(name, line.slice(name.length + 1).trim());
  } else if (word === '--data-raw') body = Buffer.from(given.shift());
  else if (word === '--data-binary') body = readFileSync(given.shift().slice(1));
  else url = word;
}
if (body === undefined && !typed) headers.delete('Content-Type');
const request = http.request(url, { method, headers: [...headers].flat().concat('Host', new URL(url).host, 'Content-Length', String(body?.length ?? 0)) });
request.end(body);
`;

/**
 * Runs the command in a shell.
 * @param folder where files of the command are, and the stand-in goes
 */
export async function runCurl(command: string, folder: string, env: Record<string, string>): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const path = [process.env.PATH ?? ''];
  if (spawnSync('curl', ['--version']).status !== 0) {
    const bin = join(folder, 'bin');
    mkdirSync(bin, { recursive: true });
    writeFileSync(join(bin, 'curl'), standIn);
    chmodSync(join(bin, 'curl'), 0o755);
    path.unshift(bin);
  }
  const child = spawn('sh', ['-c', command], { cwd: folder, env: { ...env, PATH: path.join(delimiter) } });
  let told = '';
  child.stderr.on('data', (chunk: Buffer) => {
    told += chunk;
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) throw new Error(`${command}\nended with ${code}: ${told}`);
}
