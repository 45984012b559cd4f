/** Compiles the sources: for the checkout, which runs them so, and for the package, with the npm packages they use. */
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
import { dirname, extname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Folders with code, and those of them whose other files are read at run time from beside the code. */
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
/** What is no asset: code that is compiled, and texts for people. */
const noAsset = new Set(['.ts', '.md', '.mts']);
const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
/** Packages that are installed beside the package, or not at all. */
export const beside = Object.keys({ ...dependencies, ...peerDependencies });
/** These take hold of Node itself, or read files of their own. */
const ofTests = ['nock', 'fast-check', 'pdfjs-dist', 'openapi-format', 'axe-core'];
/** Versions of the sources that are kept compiled, and how long each is: somebody may be running an earlier one. */
const keptVersions = 3;
const keptMs = 3 * 60 * 60 * 1000;

/** The files below a folder, as paths from the root; what runs leave there, and packages, are none of ours. */
function filesIn(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (!entry.isDirectory()) return [path];
    return /^(out\b|node_modules$)/.test(entry.name) ? [] : filesIn(path);
  });
}

/** Copies what code reads at run time to where the compiled code expects it, the contract as JSON too. */
export async function copyAssets(dist) {
  const { parse } = await import('yaml');
  for (const path of withAssets.flatMap(filesIn)) {
    if (!noAsset.has(extname(path))) cpSync(join(root, path), join(dist, path));
  }
  const contract = 'openapi/esign.openapi';
  const written = parse(readFileSync(join(root, `${contract}.yaml`), 'utf8'));
  writeFileSync(join(dist, `${contract}.json`), JSON.stringify(written));
}

/** Changes whenever a file does that the compiled code comes from. */
function versionOfSources() {
  const hash = createHash('sha256');
  for (const path of [...code.flatMap(filesIn), 'package-lock.json', 'tsconfig.json']) {
    const { size, mtimeMs } = statSync(join(root, path));
    hash.update(`${path} ${size} ${mtimeMs}\n`);
  }
  return hash.digest('hex').slice(0, 16);
}

/**
 * The folder with the compiled sources of a checkout, compiled now when they have changed; `undefined` where that
 * cannot be done: where nothing can be written.
 */
async function compiledSources() {
  const all = join(root, '.compiled');
  const folder = join(all, versionOfSources());
  if (existsSync(folder)) return folder;
  let made;
  try {
    mkdirSync(all, { recursive: true });
    made = mkdtempSync(join(all, 'new-'));
    // Types are the business of npm test.
    await bundle(made, sources(), { external: withParts([...beside, ...ofTests]), logLevel: 'silent' });
    await copyAssets(made);
    renameSync(made, folder);
    removeOld(all);
    return folder;
  } catch {
    // Somebody else was first, or nothing can be written here: then the sources run as they stand.
    return existsSync(folder) ? folder : undefined;
  } finally {
    if (made) rmSync(made, { recursive: true, force: true });
  }
}

/** All files of code but the suite's own tests: what these build on, dialects and fuzz use too. */
function sources() {
  return code.flatMap(filesIn).filter((path) => /(?<!\.d|\.test)\.ts$/.test(path));
}

/**
 * Compiles TypeScript files into a folder, each to its own place, so that what lies beside the code is found there.
 * @param {string} outdir
 * @param {readonly string[]} entryPoints paths from the root
 * @param {import('esbuild').BuildOptions} options beyond those that always hold
 */
export async function compile(outdir, entryPoints, { plugins = [], ...options } = {}) {
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
    plugins: [...plugins, filesOfOurs],
    ...options,
  });
}

/**
 * Compiles files as `compile` does, with the npm packages that they use in files they share: hundreds of small files
 * become a few, which start in half the time.
 * @returns {Promise<import('esbuild').BuildResult>} what it is made of
 */
export async function bundle(outdir, entryPoints, { plugins = [], ...options }) {
  const made = await compile(outdir, entryPoints, {
    ...options,
    plugins: [...plugins, importedLate(options.external)],
    splitting: true,
    chunkNames: 'packages/code-[hash]',
    write: false,
  });
  // Packages that are no ES modules ask for parts of Node by `require`, which ES modules have to make.
  const require =
    "import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);\n";
  for (const { path, contents, text } of made.outputFiles) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text.includes('Dynamic require of') ? `${require}${text}` : contents);
  }
  return made;
}

/** Packages and what is imported from within them, as esbuild wants them told. */
export const withParts = (packages) => packages.flatMap((name) => [name, `${name}/*`]);

/** Names that Node finds in a package that is imported late: of one that is no ES module esbuild alone finds none. */
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

/** Files of ours import each other as they lie; only what they import of npm packages may become part of them. */
const filesOfOurs = {
  name: 'files of ours',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\.?\// }, ({ path, importer, kind }) =>
      kind === 'entry-point' || /[\\/]node_modules[\\/]/.test(importer)
        ? undefined
        : { path: path.replace(/\.ts$/, '.js'), external: true },
    );
  },
};

/** A version that was in use a moment ago may still be: the newest ones stay. */
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
 * memory. With ESIGN_DEBUG the sources run as they stand, so that stacks show their lines.
 */
export async function load(name) {
  const folder = process.env.ESIGN_DEBUG ? undefined : await compiledSources();
  if (folder) return import(pathToFileURL(join(folder, 'bin', `${name}.js`)).href);
  const { register } = await import('tsx/esm/api');
  register();
  return import(new URL(`./${name}.ts`, import.meta.url).href);
}
