/** The room for what is foreign: nobody else reads it, and SECURITY.md shows its bounds as they are. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { limitDefaults } from '../../harness/callbacks/limits.ts';
import { limits } from '../../harness/untrusted/limits.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

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
  'harness/judging/broken.ts JSON': 'a body of the generators',
  'harness/judging/broken.ts URLSearchParams': 'writes a body of the generators',
  'harness/profile/profile-page.ts JSON': 'a copy of our own schema',
  'harness/exploring/explore.ts JSON': 'results that checks of ours hand over',
  'harness/running/host.ts JSON': 'a worker of the run, by its key',
  'harness/running/plan.ts JSON': 'a file of the package',
  'harness/people/manual-server.ts URLSearchParams': 'a form of 1 kB from the page of the user',
  'reports/page/gaps.ts JSON': 'a file of the package',
  'openapi/contract.ts JSON':
    'no walk through the value follows; an answer is judged by the contract, however deep',
  'reports/package.ts JSON': 'the package.json of the suite',
  'reports/collect.ts JSON': 'results that checks of ours hand over',
};

function sources(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    return entry.isDirectory() ? sources(path) : /\.m?ts$|\.mjs$/.test(path) ? [path] : [];
  });
}

test('only the room for what is foreign takes it apart', () => {
  const found = ['harness', 'record', 'reports', 'openapi'].flatMap(sources).flatMap((path) => {
    const text = readFileSync(join(root, path), 'utf8');
    return readers.flatMap(([what, where]) => {
      const [use] = what.exec(text) ?? [];
      if (use === undefined || where.test(path)) return [];
      return [`${path} ${/JSON|URLSearchParams/.exec(use)?.[0] ?? use}`];
    });
  });
  expect(found.filter((use) => !(use in excused))).toEqual([]);
  expect(Object.keys(excused).filter((use) => !found.includes(use))).toEqual([]);
});

test('SECURITY.md shows the bounds as they are', () => {
  const listener = [
    ['the body of a callback', `${limitDefaults.bodyBytes} bytes`],
    ['the headers of a callback', `${limitDefaults.headerBytes} bytes`],
    ['callbacks to one address', `${limitDefaults.deliveriesPerCheck}`],
    ['callbacks to all addresses', `${limitDefaults.deliveries}`],
    ['the bodies of all callbacks', `${limitDefaults.bytes} bytes`],
    ['the time in which a callback arrives', `${limitDefaults.arrivalMs} ms`],
    ['open connections', `${limitDefaults.connections}`],
  ];
  const rows = [
    ...listener.map(([of, most]) => `| ${of} | ${most} | callbacks.limits |`),
    ...Object.values(limits).map(
      ({ of, most, unit, why }) => `| ${of} | ${`${most} ${unit}`.trim()} | ${why} |`,
    ),
  ];
  const table = ['| of | at most | why |', '|---|---|---|', ...rows].join('\n');
  const page = readFileSync(join(root, 'SECURITY.md'), 'utf8');
  const shown = page.split('<!-- bounds -->')[1]?.split('<!-- /bounds -->')[0]?.trim();
  expect(shown).toBe(table);
});
