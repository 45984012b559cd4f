/** The committed samples and pictures: up to date with the catalogue, small, and without anything of the machine. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { gaps } from '../../openapi/gaps/register.ts';
import { catalogue } from '../../openapi/requirements/catalogue.ts';
import { root } from './cli-spawn.ts';

const folder = join(root, 'docs', 'sample');
const read = (name: string) => readFileSync(join(folder, name), 'utf8');
const remedy = 'run `npm run sample`, which writes docs/sample and docs/images';

for (const name of ['index.html', 'failures.html', 'incomplete.html', 'comparison.html']) {
  test(`the sample ${name} has exactly the requirements and gaps of the catalogue`, () => {
    const ids = new Set([...read(name).matchAll(/ id="((?:gap-)?[a-z]+\.[a-z0-9-]+)"/g)].map(([, id]) => id));
    const expected = [...catalogue.map(({ id }) => id), ...gaps.map(({ id }) => `gap-${id}`)];
    expect([...ids].sort(), remedy).toEqual(expected.sort());
  });
}

test('the open questions of the sample are those of the register', () => {
  const text = read('open-questions.md');
  expect(
    gaps.map(({ id }) => id).filter((id) => !text.includes(`\`${id}\``)),
    remedy,
  ).toEqual([]);
});

test('no sample is larger than 1 MB, names a folder of the machine, or a port by chance', () => {
  const names = readdirSync(folder);
  expect(names.sort()).toEqual([
    'comparison.html',
    'failures.html',
    'incomplete.html',
    'index.html',
    'open-questions.md',
    'report.css',
    'ticket.md',
  ]);
  for (const name of names) {
    const text = read(name);
    expect.soft(Buffer.byteLength(text), name).toBeLessThan(1024 * 1024);
    for (const place of [root, `${tmpdir()}/`, `${homedir()}/`]) expect.soft(text).not.toContain(place);
    const ports = new Set([...text.matchAll(/127\.0\.0\.1:(\d+)/g)].map(([, port]) => port));
    expect
      .soft(
        [...ports].filter((port) => port !== '4010' && port !== '4011'),
        name,
      )
      .toEqual([]);
  }
});

test('the pictures are PNG and small', () => {
  const images = join(root, 'docs', 'images');
  const names = readdirSync(images).sort();
  expect(names).toEqual([
    'comparison.png',
    'exploring.png',
    'failure.png',
    'phone.png',
    'report.png',
    'serve.png',
  ]);
  for (const name of names) {
    expect.soft(readFileSync(join(images, name)).subarray(1, 4).toString(), name).toBe('PNG');
    expect.soft(statSync(join(images, name)).size, name).toBeLessThan(200 * 1024);
  }
});
