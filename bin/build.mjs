/** Builds the package: puts all files that its command line and its programs import into dist/, with the npm packages. */
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beside, bundle, checks, compile, copyAssets, withParts } from './compiled.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, 'dist');
const modules = join(root, 'node_modules');

/** Files that are called from outside or found by their names; all others are imported by one of these. */
const entries = [
  'bin/main.ts',
  'bin/programs.ts',
  'playwright.config.ts',
  'running/global-setup.ts',
  'reports/ending/collect.ts',
  ...checks(),
];

/** Files of npm packages that code finds by `import.meta.resolve`: they go to dist/packages/ under the same names. */
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

/** The licences of the npm packages in the package, each once, in the order of their names. */
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

/** The TypeScript of a JSON Schema, whose references are looked up in the `whole` one. */
function typeOf(schema, whole = schema) {
  const { $ref, anyOf, const: only, enum: values, type, items, properties = {}, required = [] } = schema;
  const inner = (each) => typeOf(each, whole);
  if ($ref)
    return inner(
      $ref
        .split('/')
        .slice(1)
        .reduce((at, step) => at[step], whole),
    );
  if (anyOf) return anyOf.map(inner).join(' | ');
  if (only !== undefined) return JSON.stringify(only);
  if (values) return values.map((each) => JSON.stringify(each)).join(' | ');
  if (type === 'array')
    return Array.isArray(items) ? `readonly [${items.map(inner)}]` : `readonly (${inner(items)})[]`;
  if (type !== 'object') return type === 'integer' ? 'number' : (type ?? 'unknown');
  const fields = Object.entries(properties).map(([name, each]) => {
    const said = each.description ? `/** ${each.description} */\n` : '';
    return `${said}readonly ${JSON.stringify(name)}${required.includes(name) ? '' : '?'}: ${inner(each)};`;
  });
  return `{\n${fields.join('\n')}\n}`;
}

rmSync(dist, { recursive: true, force: true });
const { found, plugin } = packageFiles();
const options = {
  external: withParts(beside),
  plugins: [plugin],
  legalComments: 'none',
  metafile: true,
};
await copyAssets(dist);
const code = await bundle(dist, entries, options);
const worker = 'harness/untrusted/pdf/worker.mjs';

const thread = await compile(dist, [worker], { ...options, outExtension: { '.js': '.mjs' }, minify: true });

// All types for programs go into one file, which imports no other.
const types = [
  'reference/double-types.ts',
  'harness/people/module-types.ts',
  'harness/profile/given-options.ts',
  'bin/public.ts',
].map((name) => readFileSync(join(root, name), 'utf8'));
const runSchema = JSON.parse(readFileSync(join(root, 'reports', 'run.schema.json'), 'utf8'));
const run = `/** What run.json holds. */\nexport interface Run ${typeOf(runSchema)}\n`;
writeFileSync(
  join(dist, 'index.d.ts'),
  [...types, run].join('\n').replaceAll(/^(import|export) type \{[^}]*\}[^;]*;\n/gm, ''),
);
for (const name of found) {
  // The package.json beside them says whether they are ES modules.
  for (const each of [name, join(/^(@[^/]+\/)?[^/]+/.exec(name)[0], 'package.json')])
    cpSync(join(modules, each), join(dist, 'packages', each), { recursive: true });
}
const inputs = [code, thread].flatMap(({ metafile }) => Object.keys(metafile.inputs));
inputs.push(...[...found].map((name) => `node_modules/${name}`));
writeFileSync(join(dist, 'packages', 'LICENCES.txt'), licences(inputs).join(`\n${'='.repeat(80)}\n\n`));
