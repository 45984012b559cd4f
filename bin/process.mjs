/** Starts other programs from the set-up scripts: no shell in between, output shown as it comes. */
import { spawn } from 'node:child_process';

/**
 * Runs a program and resolves with its exit code; a program that cannot be started counts as 127, as in a shell.
 * @param {string} program
 * @param {string[]} given arguments
 * @param {Record<string, string>} [environment] what is added to the environment
 * @returns {Promise<number>}
 */
export function execute(program, given, environment = {}) {
  return new Promise((settle) => {
    const child = spawn(program, given, { stdio: 'inherit', env: { ...process.env, ...environment } });
    const pass = (signal) => child.kill(signal);
    process.on('SIGINT', pass).on('SIGTERM', pass);
    const end = (code) => {
      process.off('SIGINT', pass).off('SIGTERM', pass);
      settle(code);
    };
    child.once('error', (error) => {
      process.stderr.write(`${program} could not be started: ${error.message}\n`);
      end(127);
    });
    child.once('close', (code) => end(code ?? 130));
  });
}

/** Runs a JavaScript file with the Node that runs this one. */
export function executeNode(file, given, environment) {
  return execute(process.execPath, [file, ...given], environment);
}

/** The same without a word: only its exit code counts. */
export function executeQuietly(file, given) {
  return new Promise((settle) => {
    const child = spawn(process.execPath, [file, ...given], { stdio: 'ignore' });
    child.once('error', () => settle(127));
    child.once('close', (code) => settle(code ?? 130));
  });
}
