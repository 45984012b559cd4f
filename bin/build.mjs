/** Builds the package: what its command line and its programs reach goes into dist/, with the npm packages in it. */
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beside, bundle, compile, copyAssets, withParts } from './compiled.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, 'dist');
const modules = join(root, 'node_modules');

/** What is called from outside or found by its name; all else is imported by one of these. */
const entries = [
  'bin/main.ts',
  'bin/programs.ts',
  'playwright.config.ts',
  'running/global-setup.ts',
  'reports/ending/collect.ts',
  ...readdirSync(join(root, 'tests/conformance')).map((name) => `tests/conformance/${name}`),
];

/** Paths from the root of the sources that the entries reach. */
async function reached() {
  const { metafile } = await compile(dist, entries, {
    plugins: [followed],
    packages: 'external',
    metafile: true,
    write: false,
  });
  return Object.keys(metafile.inputs);
}

/** For once files of ours are no borders. */
const followed = {
  name: 'files of ours, followed',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\.?\// }, ({ path, resolveDir }) => ({ path: join(resolveDir, path) }));
  },
};

/** Files that code finds in a package by `import.meta.resolve`: they lie in dist/packages/ under the same name. */
function packageFiles() {
  const found = new Set();
  const plugin = {
    name: 'files of packages',
    setup({ onLoad }) {
      onLoad({ filter: /\.(ts|mjs)$/, namespace: 'file' }, ({ path }) => {
        if (path.startsWith(modules)) return undefined;
        const contents = readFileSync(path, 'utf8').replace(
          /import\.meta\.resolve\('([^']+)'\)/g,
          (_, name) => {
            found.add(name);
            const place = relative(dirname(path), join(root, 'packages', name))
              .split(sep)
              .join('/');
            return `new URL('${place}${name.endsWith('/') ? '/' : ''}', import.meta.url).href`;
          },
        );
        return { contents, loader: path.endsWith('.ts') ? 'ts' : 'js' };
      });
    },
  };
  return { found, plugin };
}

/** The licences of what is in the package, each package once, in the order of their names. */
function licences(inputs) {
  const names = inputs.flatMap((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []);
  return [...new Set(names)].sort().map((name) => {
    const folder = join(modules, name);
    const { version, license, author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const file = readdirSync(folder).find((each) => /^(licen[cs]e|copying)/i.test(each));
    const text = file
      ? readFileSync(join(folder, file), 'utf8').trim()
      : `by ${author?.name ?? author ?? 'its authors'}`;
    return `${name} ${version}, ${license}\n\n${text}\n`;
  });
}

rmSync(dist, { recursive: true, force: true });
const { found, plugin } = packageFiles();
const options = {
  external: withParts(beside),
  plugins: [plugin],
  legalComments: 'none',
  metafile: true,
};
const files = await reached();
await copyAssets(dist);
const code = await bundle(dist, files, options);
const worker = 'harness/untrusted/pdf/worker.mjs';

const thread = await compile(dist, [worker], { ...options, outExtension: { '.js': '.mjs' }, minify: true });

// The types of programs are one file, which names no other one.
const types = [
  'reference/double-types.ts',
  'harness/people/module-types.ts',
  'harness/profile/given-options.ts',
  'bin/public.ts',
].map((name) => readFileSync(join(root, name), 'utf8'));
writeFileSync(
  join(dist, 'index.d.ts'),
  types.join('\n').replaceAll(/^(import|export) type \{[^}]*\}[^;]*;\n/gm, ''),
);
for (const name of found) cpSync(join(modules, name), join(dist, 'packages', name), { recursive: true });
const inputs = [code, thread].flatMap(({ metafile }) => Object.keys(metafile.inputs));
inputs.push(...[...found].map((name) => `node_modules/${name}`));
writeFileSync(join(dist, 'packages', 'LICENCES.txt'), licences(inputs).join(`\n${'='.repeat(80)}\n\n`));
