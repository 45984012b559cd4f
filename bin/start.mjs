/** Entry of the npm scripts: installs what is missing, then runs the checks, a command for development, or the suite's own tests. */
import './preconditions.mjs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installPackages } from './packages.mjs';
import { executeFollowing, executeNode } from './process.mjs';
import { runTestSteps } from './test-steps.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [mode, ...given] = process.argv.slice(2);

async function start() {
  const isOfCheckout = ['dialects', 'faults', 'fuzz', 'sample'].includes(mode);
  if (!isOfCheckout && mode !== 'conformance' && mode !== 'test') {
    process.stderr.write(
      'usage: node bin/start.mjs conformance|dialects|faults|fuzz|sample|test [arguments]\n',
    );
    return 3;
  }
  const taken = mode === 'conformance' ? takenByNpm() : undefined;
  if (taken) {
    process.stderr.write(
      `npm took ${taken} for itself, and the checks would run without it: put -- before the options, as in npm run conformance -- ${taken}\n`,
    );
    return 3;
  }
  let interrupted = false;
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => (interrupted = true));
  const installed = await installPackages(root);
  if (interrupted) return 2;
  if (installed !== 0) return 3;
  if (mode === 'test') return runTestSteps(root, given);
  if (isOfCheckout) return executeNode(join(root, 'bin', 'proof.mjs'), [mode, ...given]);
  return executeFollowing(join(root, 'bin', 'esign-conformance.mjs'), given);
}

/** An option that npm took for its own, since it stood before `--`: npm passes its options in the environment. */
function takenByNpm() {
  const options = ['target', 'base-url', 'only', 'out', 'strict', 'explore', 'budget', 'dry-run', 'replay'];
  const valued = options.map((name) => [name, process.env[`npm_config_${name.replaceAll('-', '_')}`]]);
  // npm has an option `target` itself: a version, for native modules.
  const isOurs = ([name, value]) => value && (name !== 'target' || /^true$|\.(ya?ml|json)$/.test(value));
  const [name] = valued.find(isOurs) ?? [];
  return name && `--${name}`;
}

process.exitCode = await start();
