/** Compiles the sources, with the npm packages they use: for the checkout, which starts faster then, and for the package. */
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, extname, join, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Folders with code; and below, those with other files that code reads at run time. */
const code = [
  'openapi',
  'record',
  'generators',
  'harness',
  'reference',
  'reports',
  'running',
  'bin',
  'tests',
];
const withAssets = ['openapi', 'generators', 'harness', 'reference', 'reports'];
/** Endings of files that are not copied: code, which is compiled, and texts for people. */
const noAsset = new Set(['.ts', '.md', '.mts']);
const { peerDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
/** Packages that are not bundled: users install them beside the package, or not at all. */
export const beside = Object.keys(peerDependencies);
/** Packages that cannot be bundled: they change Node itself, or read files of their own. */
const ofTests = ['nock', 'fast-check', 'pdfjs-dist', 'openapi-format', 'axe-core'];
/** How many compiled versions of the sources are kept, and how long older ones are: somebody may still be running one. */
const keptVersions = 3;
const keptMs = 3 * 60 * 60 * 1000;

/** The files below a folder, as paths from the root, without those that runs leave there and without packages. */
function filesIn(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (!entry.isDirectory()) return [path];
    return /^(out\b|node_modules$)/.test(entry.name) ? [] : filesIn(path);
  });
}

export async function copyAssets(dist) {
  const { parse } = await import('yaml');
  for (const path of withAssets.flatMap(filesIn)) {
    if (!noAsset.has(extname(path))) cpSync(join(root, path), join(dist, path));
  }
  const contract = 'openapi/esign.openapi';
  const written = parse(readFileSync(join(root, `${contract}.yaml`), 'utf8'));
  writeFileSync(join(dist, `${contract}.json`), JSON.stringify(written));
}

/** A hash that changes with every file that the compiled code comes from. */
function versionOfSources() {
  const hash = createHash('sha256');
  for (const path of [...code.flatMap(filesIn), 'package-lock.json', 'tsconfig.json']) {
    const { size, mtimeMs } = statSync(join(root, path));
    hash.update(`${path} ${size} ${mtimeMs}\n`);
  }
  return hash.digest('hex').slice(0, 16);
}

/**
 * The folder with the compiled sources of a checkout, which are compiled now if they have changed; `undefined` where
 * that fails, as where nothing can be written.
 */
async function compiledSources() {
  const all = join(root, '.compiled');
  const folder = join(all, versionOfSources());
  if (existsSync(folder)) return folder;
  let made;
  try {
    mkdirSync(all, { recursive: true });
    made = mkdtempSync(join(all, 'new-'));
    // Types are not checked here but by npm test.
    await bundle(made, entries(), { external: withParts([...beside, ...ofTests]), logLevel: 'silent' });
    await copyAssets(made);
    renameSync(made, folder);
    removeOld(all);
    return folder;
  } catch {
    // Another process was first, or nothing can be written here; then the sources run uncompiled.
    return existsSync(folder) ? folder : undefined;
  } finally {
    if (made) rmSync(made, { recursive: true, force: true });
  }
}

export const checks = () => filesIn('tests/conformance');

/** Files of a checkout that are called by their names; all other code is imported by one of these. */
const entries = () => [
  ...['main', 'dialects', 'faults', 'fuzz', 'sample'].map((name) => `bin/${name}.ts`),
  ...['pool-work', 'dialects/run-row', 'faults/job'].map((name) => `tests/proof/${name}.ts`),
  ...checks(),
];

/**
 * Compiles TypeScript files into a folder, each to the same path, with what they import of ours.
 * @param {string} outdir
 * @param {readonly string[]} entryPoints paths from the root
 * @param {import('esbuild').BuildOptions} options added to those that always hold
 */
export async function compile(outdir, entryPoints, options) {
  const { build } = await import('esbuild');
  return build({
    absWorkingDir: root,
    entryPoints: [...entryPoints],
    outdir,
    outbase: root,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    ...options,
    plugins: [...(options.plugins ?? []), withoutUnneeded],
  });
}

/** Packages that others load if they are in any folder above, where other accounts may put theirs: none is there. */
const withoutUnneeded = {
  name: 'packages that are not needed',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(supports-color|kerberos)$/ }, ({ path }) => ({ path, namespace: 'unneeded' }));
    onLoad({ filter: /./, namespace: 'unneeded' }, ({ path }) => ({
      contents: `throw new Error('${path} is not there');`,
    }));
  },
};

/**
 * Compiles files as `compile` does, with the npm packages that they use. What several of them import goes into a few shared
 * files instead of hundreds of small ones: that halves the time to start. Code that finds files by its own place keeps it.
 * @returns {Promise<import('esbuild').BuildResult>} the result of esbuild
 */
export async function bundle(outdir, entryPoints, { plugins = [], ...options }) {
  const placed = await placedFiles(outdir, entryPoints);
  const made = await compile(outdir, [...new Set([...entryPoints, ...placed])], {
    ...options,
    plugins: [...plugins, importedLate(options.external), filesInPlace(new Set(placed))],
    splitting: true,
    chunkNames: 'packages/code-[hash]',
    write: false,
  });
  // Packages that are no ES modules load parts of Node by `require`, which an ES module has to create.
  const require =
    "import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);\n";
  for (const { path, text } of made.outputFiles) {
    const up = relative(dirname(path), outdir).split(sep).join('/') || '.';
    const written = text.replaceAll(inPlace, `${up}/`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, written.includes('Dynamic require of') ? `${require}${written}` : written);
  }
  return made;
}

/** The files of ours that the entries import, and in which code finds files by its own place, as paths from the root. */
async function placedFiles(outdir, entryPoints) {
  const { metafile } = await compile(outdir, entryPoints, {
    packages: 'external',
    metafile: true,
    write: false,
  });
  return Object.keys(metafile.inputs).filter((path) =>
    /import\.meta\b/.test(readFileSync(join(root, path), 'utf8')),
  );
}

/** Patterns for esbuild: packages, and files within them. */
export const withParts = (packages) => packages.flatMap((name) => [name, `${name}/*`]);

/** Gives dynamic imports of packages that are no ES modules the names that Node finds in them; esbuild alone finds none. */
const importedLate = (external) => ({
  name: 'packages imported late',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^[\w@]/ }, ({ path, kind, importer }) =>
      kind === 'dynamic-import' &&
      !importer.startsWith(join(root, 'node_modules')) &&
      !external.some((name) => path.startsWith(name))
        ? { path, namespace: 'late' }
        : undefined,
    );
    onLoad({ filter: /./, namespace: 'late' }, async ({ path }) => {
      const names = Object.keys(await import(path)).filter((name) => name !== 'module.exports');
      return { contents: `export { ${names} } from '${path}';`, resolveDir: root };
    });
  },
});

/** Stands in compiled code for the way up to its root, which differs from file to file. */
const inPlace = 'root-of-compiled:';

/** Keeps imports of these files as they are, so that code in them runs in its own place, and once. */
const filesInPlace = (placed) => ({
  name: 'files in their places',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\.?\// }, ({ path, resolveDir, kind }) => {
      const name = relative(root, join(resolveDir, path)).split(sep).join('/');
      if (kind === 'entry-point' || !placed.has(name)) return undefined;
      return { path: `${inPlace}${name.replace(/\.ts$/, '.js')}`, external: true };
    });
  },
});

/** Removes old compiled versions. The newest ones stay, since a version that was in use a moment ago may still be. */
function removeOld(all) {
  const versions = readdirSync(all)
    .map((name) => ({ path: join(all, name), at: statSync(join(all, name)).mtimeMs }))
    .sort((one, other) => other.at - one.at);
  const recent = Date.now() - keptMs;
  const old = versions.slice(keptVersions).filter(({ at }) => at < recent);
  for (const { path } of old) rmSync(path, { recursive: true, force: true });
}

/**
 * Imports a module of `bin/`, by its name without ending: compiled, since that starts faster and takes half the
 * memory. With ESIGN_DEBUG the sources run uncompiled, so that stack traces show their lines.
 */
export async function load(name) {
  const folder = process.env.ESIGN_DEBUG ? undefined : await compiledSources();
  if (folder) return import(pathToFileURL(join(folder, 'bin', `${name}.js`)).href);
  // See harness/people/load-module.ts.
  process.env.TSX_DISABLE_CACHE = '1';
  const { register } = await import('tsx/esm/api');
  register();
  return import(new URL(`./${name}.ts`, import.meta.url).href);
}
