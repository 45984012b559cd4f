/** The lines of targets/example.yaml in which a key of a target profile is shown. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from './package.ts';

/**
 * The lines with which a profile would have a key, those around it included.
 * @param key as `unlocks` of a run names it; its first path counts, as in `calls.sign or calls.complete with {otp}`
 * @returns YAML, or `undefined` for a key that the example does not show
 */
export function profileLines(key: string): string | undefined {
  const [path = ''] = key.split(/[ ,]/);
  const text = readFileSync(join(packageRoot(), 'targets', 'example.yaml'), 'utf8');
  let lines = text.split('\n');
  const above: string[] = [];
  for (const [depth, name] of path.split('.').entries()) {
    const indent = '  '.repeat(depth);
    // Some are shown as comments, where the example takes another way.
    const begins = (line: string) => line.replace('# ', '').startsWith(`${indent}${name}:`);
    const at = lines.findIndex(begins);
    if (at < 0) return undefined;
    const end = lines.findIndex((line, index) => index > at && !line.startsWith(`${indent}  `));
    above.push((lines[at] ?? '').replace('# ', ''));
    lines = lines.slice(at + 1, end < 0 ? undefined : end);
  }
  return [...above, ...lines].join('\n').trimEnd();
}
