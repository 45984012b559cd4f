/** What holds for the sources: who may import whom, who takes apart what is foreign, who writes to the terminal, and that no pattern is slow. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { analyse } from 'scslre';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** What each folder may import besides itself and packages; folders that are not named here join the others. */
const below: Readonly<Record<string, readonly string[]>> = {
  openapi: [],
  record: ['openapi/'],
  generators: ['openapi/'],
  harness: ['generators/', 'record/', 'openapi/'],
  reference: ['openapi/codes.ts'],
  reports: ['record/', 'openapi/'],
  // The types of what a team's own checks are handed are those of the package.
  running: [
    'harness/',
    'reports/',
    'reference/',
    'generators/',
    'record/',
    'openapi/',
    'tests/flows/',
    'bin/public.ts',
  ],
};

const words = (text: string) => text.split(' ');

/** The rooms of a folder, from the top down: each imports itself and those that stand after it. */
const roomsOf: Readonly<Record<string, readonly string[]>> = {
  harness: [
    ...words('session probing exploring flows replaying observing judging'),
    ...words('people callbacks target recording profile wire untrusted'),
  ],
  reports: words('ending comparison machine page ticket texts reproduce assembling accepted concluding run'),
};

/** Folders in which the others may be put together. */
const joints = ['tests', 'bin', 'bench', 'examples'];

interface SourceFile {
  readonly path: string;
  readonly text: string;
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
  return { path, text, imports: [...new Set(imports)] };
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

for (const [folder, rooms] of Object.entries(roomsOf)) {
  const roomOf = (path: string) => (folderOf(path) === folder ? (path.split('/')[1] ?? '') : undefined);

  test(`every file of ${folder}/ stands in a room`, () => {
    const homeless = files.filter(
      ({ path }) => folderOf(path) === folder && !rooms.includes(roomOf(path) ?? ''),
    );
    expect(homeless.map(({ path }) => path)).toEqual([]);
  });

  test(`the rooms of ${folder}/ import downwards only`, () => {
    const upwards = files.flatMap(({ path, imports }) =>
      imports
        .filter((target) => rooms.indexOf(roomOf(target) ?? '') < rooms.indexOf(roomOf(path) ?? ''))
        .filter((target) => roomOf(path) !== undefined && roomOf(target) !== undefined)
        .map((target) => `${path} imports ${target}`),
    );
    expect(upwards).toEqual([]);
  });
}

test('every file opens with a sentence of purpose', () => {
  const silent = files
    .filter(({ text }) => !text.replace(/^#!.*\n/, '').startsWith('/**'))
    .map(({ path }) => path);
  expect(silent).toEqual([]);
});

/** What reads foreign bytes or texts, and where it may be used. */
const readers: readonly (readonly [what: RegExp, where: RegExp])[] = [
  [/import \{[^}]*\bXMLParser\b/, /^harness\/untrusted\//],
  [/from '(?:node:zlib|fflate|htmlparser2|entities|postal-mime)'/, /^harness\/untrusted\//],
  [/from 'pdfjs-dist|import\('pdfjs-dist/, /^harness\/untrusted\/pdf\//],
  [/\bJSON\.parse\(/, /^record\/json\.ts$/],
  // By itself it takes quadratic time.
  [/\bparseDocument\(/, /^record\/own-files\.ts$/],
  // Of queries, and of what is sent: no bodies.
  [
    /new URLSearchParams\(/,
    /^(?:harness\/(?:untrusted|replaying|callbacks|recording)\/|harness\/target\/access\/|record\/delivery\.ts)/,
  ],
];

/** Who else may, since what is read there is ours or trusted, or bounded by its size alone. */
const excused: Readonly<Record<string, string>> = {
  'harness/judging/broken-rows.ts JSON': 'a body of the generators',
  'harness/judging/broken-rows.ts URLSearchParams': 'writes a body of the generators',
  'harness/profile/profile-page.ts JSON': 'a copy of our own schema',
  'harness/session/host.ts JSON': 'a worker of the run, by its key',
  'harness/session/plan.ts JSON': 'a file of the package',
  'harness/people/manual-server.ts URLSearchParams': 'a form of 1 kB from the page of the user',
  'reports/page/gaps.ts JSON': 'a file of the package',
  'openapi/contract.ts JSON':
    'no walk through the value follows; an answer is judged by the contract, however deep',
  'record/published-schema.ts JSON': 'a schema of ours',
  'reports/run/package.ts JSON': 'the package.json of the suite',
  'reports/ending/collect.ts JSON': 'results that checks of ours hand over',
};

const withStrangers = files.filter(({ path }) => /^(?:harness|record|reports|openapi)\//.test(path));

test('only the room for what is foreign takes it apart', () => {
  const found = withStrangers.flatMap(({ path, text }) =>
    readers.flatMap(([what, where]) => {
      const [use] = what.exec(text) ?? [];
      if (use === undefined || where.test(path)) return [];
      return [`${path} ${/JSON|URLSearchParams/.exec(use)?.[0] ?? use}`];
    }),
  );
  expect(found.filter((use) => !(use in excused))).toEqual([]);
  expect(Object.keys(excused).filter((use) => !found.includes(use))).toEqual([]);
});

/** Patterns that take more than linear time, and why no stranger can make use of it. */
const superlinear: Readonly<Record<string, string>> = {
  '/^bearer +(.*)$/i': 'a header field, bounded by the listener',
  '/^basic +(.*)$/i': 'the same',
  '/\\/+$/': 'URLs of the profile',
  '/[^\\s"\'<>(),;:=&@]+@[a-z0-9-]+(?:\\.[a-z0-9-]+)+/gi': 'bodies of the profile before they are sent',
  '/[?&]([^=&#]+)=([^&#]+)/g': 'URLs of the profile',
  '/(\\w[\\w-]*)\\)?$/': 'names of places in the profile',
  '/=+$/': 'secrets of the profile',
  '/\\d+ \\d+ obj\\b/': 'the last 2,048 bytes of a file',
  '/\\{[^}]+\\}/': 'keys of observations, which are ours',
};

test('no pattern takes more than linear time, or it is said why that does no harm', () => {
  const literal =
    /(?<=(?:[(,=:!&|?[{};]|=>|return|^)\s*)\/(?![/*])((?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\[\n])+)\/([dgimsuvy]*)/gm;
  const found = withStrangers.flatMap(({ path, text }) =>
    [...text.matchAll(literal)].flatMap(([, source = '', flags = '']) => {
      // Divisions look alike.
      if (!isPattern(source, flags)) return [];
      const { reports } = analyse(
        { source, flags },
        { reportTypes: { Move: true, Self: true, Trade: true }, assumeRejectingSuffix: false },
      );
      return [{ pattern: `/${source}/${flags}`, path, slow: reports.length > 0 }];
    }),
  );
  expect(found.length).toBeGreaterThan(200);
  const slow = found.filter((each) => each.slow);
  expect(slow.filter(({ pattern }) => !(pattern in superlinear))).toEqual([]);
  const stale = Object.keys(superlinear).filter((pattern) => !slow.some((each) => each.pattern === pattern));
  expect(stale).toEqual([]);
});

function isPattern(source: string, flags: string): boolean {
  try {
    return new RegExp(source, flags).source !== '';
  } catch {
    // None: a division, or a comment.
    return false;
  }
}

test('all output goes through one function', () => {
  // The reference service imports nothing of ours, and says only what breaks in itself.
  const allowed = ['record/print.ts', 'reference/server.ts'];
  const writing = files.filter(
    ({ path, text }) =>
      path.endsWith('.ts') &&
      (folderOf(path) in below || /^bin\//.test(path)) &&
      /process\.(stdout|stderr)\s*\.\s*write|console\.(log|info|warn|error|debug)/.test(text),
  );
  expect(writing.map(({ path }) => path).sort()).toEqual(allowed);
});

test('no folder is made by the recursive mkdir of Node, which never returns below /proc', () => {
  const wrong = files.filter(
    ({ path, text }) =>
      (folderOf(path) in below || /^bin\/[^/]*\.ts$/.test(path)) &&
      /\bmkdir(?:Sync)?\([^;]*recursive/.test(text),
  );
  // It makes the pictures and pages of the documentation.
  expect(wrong.map(({ path }) => path)).toEqual(['bin/sample.ts']);
});

test('what tests start keeps nothing in the folder of the user', () => {
  const starts =
    /new RunSession\(|\bwholeRun\(|\.main\b|\{ main \} = await|spawn\(process\.execPath, \[script/;
  const wrong = files.filter(
    ({ path, text, imports }) =>
      path.startsWith('tests/') &&
      !path.endsWith('layers.test.ts') &&
      starts.test(text) &&
      !imports.includes('tests/proof/own-state.ts'),
  );
  expect(wrong.map(({ path }) => path)).toEqual([]);
});
