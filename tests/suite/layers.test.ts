/** The layers of the code and the rooms of the harness: who may import whom, and no cycles. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** What each folder may import besides itself and packages; folders that are not named here join the others. */
const below: Readonly<Record<string, readonly string[]>> = {
  openapi: [],
  record: ['openapi/'],
  generators: ['openapi/'],
  harness: ['generators/', 'record/', 'openapi/'],
  reference: ['openapi/codes.ts'],
  reports: ['record/', 'openapi/'],
};

/** The rooms of the harness, from the top down: each imports itself and those that stand after it. */
const rooms = [
  'running',
  'probing',
  'exploring',
  'flows',
  'replaying',
  'observing',
  'judging',
  'people',
  'callbacks',
  'target',
  'recording',
  'profile',
  'wire',
  'untrusted',
];

/** Folders in which the others may be put together. */
const joints = ['tests', 'bin', 'bench', 'examples'];

interface SourceFile {
  readonly path: string;
  /** Files of ours that it imports, as paths below the root. */
  readonly imports: readonly string[];
}

function sources(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = posix.join(folder, entry.name);
    if (entry.isDirectory())
      return entry.name === 'node_modules' || entry.name === 'out' ? [] : sources(path);
    return /\.m?ts$|\.mjs$/.test(entry.name) ? [path] : [];
  });
}

function read(path: string): SourceFile {
  const text = readFileSync(join(root, path), 'utf8');
  const statements = text.matchAll(/(?:^|[\s;}])(?:from|import)\s*\(?\s*'(\.{1,2}\/[^']+)'/g);
  const imports = [...statements].map(([, target = '']) => posix.join(dirname(path), target));
  return { path, imports: [...new Set(imports)] };
}

const files = [...Object.keys(below), ...joints].flatMap(sources).concat('playwright.config.ts').map(read);

const folderOf = (path: string) => path.split('/', 1)[0] ?? '';

test('every folder with code has its place among the layers', () => {
  const folders = readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !/^\.|^(?:node_modules|dist|test-results)$/.test(entry.name))
    .map(({ name }) => name)
    .filter((name) => sources(name).length > 0);
  expect(folders.filter((name) => !(name in below) && !joints.includes(name))).toEqual([]);
});

for (const [folder, allowed] of Object.entries(below)) {
  const shown = allowed.length > 0 ? allowed.join(' and ') : 'nothing of ours';
  test(`${folder}/ imports ${shown}`, () => {
    const own = files.filter(({ path }) => folderOf(path) === folder);
    expect(own.length).toBeGreaterThan(0);
    const wrong = own.flatMap(({ path, imports }) =>
      imports
        .filter((target) => ![`${folder}/`, ...allowed].some((begin) => target.startsWith(begin)))
        .map((target) => `${path} imports ${target}`),
    );
    expect(wrong).toEqual([]);
  });
}

test('every file of the harness stands in a room', () => {
  const own = files.filter(({ path }) => folderOf(path) === 'harness').map(({ path }) => path.split('/'));
  expect(
    own.filter(([, room = '', file]) => !file || !rooms.includes(room)).map((parts) => parts.join('/')),
  ).toEqual([]);
});

test('the rooms of the harness import downwards only', () => {
  const roomOf = (path: string) =>
    folderOf(path) === 'harness' ? rooms.indexOf(path.split('/')[1] ?? '') : -1;
  const upwards = files.flatMap(({ path, imports }) =>
    imports
      .filter((target) => roomOf(target) >= 0 && roomOf(target) < roomOf(path))
      .map((target) => `${path} imports ${target}`),
  );
  expect(upwards).toEqual([]);
});

test('no file imports itself by a detour', () => {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (path: string, chain: readonly string[]): void => {
    const start = chain.indexOf(path);
    if (start >= 0) cycles.push([...chain.slice(start), path].join(' → '));
    if (start >= 0 || done.has(path)) return;
    for (const target of byPath.get(path)?.imports ?? []) visit(target, [...chain, path]);
    done.add(path);
  };
  for (const { path } of files) visit(path, []);
  expect(cycles).toEqual([]);
});

test('every import leads to a file', () => {
  const known = new Set(files.map(({ path }) => path));
  const lost = files.flatMap(({ path, imports }) =>
    imports
      .filter((target) => /\.m?[tj]s$/.test(target) && !known.has(target) && !target.includes('dist/'))
      .map((target) => `${path} imports ${target}`),
  );
  expect(lost).toEqual([]);
});

test('every file opens with a sentence of purpose', () => {
  const silent = files
    .map(({ path }) => ({ path, text: readFileSync(join(root, path), 'utf8').replace(/^#!.*\n/, '') }))
    .filter(({ text }) => !text.startsWith('/**'))
    .map(({ path }) => path);
  expect(silent).toEqual([]);
});
