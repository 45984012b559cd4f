/** Runs a recorded command line in a shell: with curl, or with a stand-in where there is none. */
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Understands the options that recorded commands have, and gives them the meaning that curl does. */
const standIn = `#!${process.execPath}
const { readFileSync, writeFileSync } = require('node:fs');
const http = require('node:http');
const given = process.argv.slice(2);
const headers = new Map([['Content-Type', 'application/x-www-form-urlencoded']]);
let method = 'GET', url = '', body, typed = false, head, out;
while (given.length > 0) {
  const word = given.shift();
  if (word === '-X') method = given.shift();
  else if (word === '-I') method = 'HEAD';
  else if (['-s', '-sS', '-g'].includes(word)) continue;
  else if (word === '-D') head = given.shift();
  else if (word === '-o') out = given.shift();
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
request.on('response', async (response) => {
  const lines = ['HTTP/1.1 ' + response.statusCode + ' ' + response.statusMessage];
  for (let at = 0; at < response.rawHeaders.length; at += 2) lines.push(response.rawHeaders.slice(at, at + 2).join(': '));
  if (head) writeFileSync(head, lines.join('\\r\\n') + '\\r\\n\\r\\n');
  const chunks = [];
  for await (const chunk of response) chunks.push(chunk);
  if (out) writeFileSync(out, Buffer.concat(chunks));
});
request.end(body);
`;

/** The PATH of this process, with a stand-in in the folder where there is no curl. */
export function pathWithCurl(folder: string, there = spawnSync('curl', ['--version']).status === 0): string {
  const path = process.env.PATH ?? '';
  const bin = join(folder, 'bin');
  mkdirSync(bin, { recursive: true });
  if (there) return path;
  writeFileSync(join(bin, 'curl'), standIn);
  // A folder inside the checkout would make a module of it.
  writeFileSync(join(bin, 'package.json'), '{"type":"commonjs"}');
  chmodSync(join(bin, 'curl'), 0o755);
  return [bin, path].join(delimiter);
}

/**
 * Runs the command in a shell.
 * @param folder where files of the command are, and the stand-in goes
 */
export async function runCurl(command: string, folder: string, env: Record<string, string>): Promise<void> {
  const child = spawn('sh', ['-c', command], { cwd: folder, env: { ...env, PATH: pathWithCurl(folder) } });
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
