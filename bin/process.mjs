/** Starts other programs from the set-up scripts, without a shell in between. */
import { spawn } from 'node:child_process';
import { setPriority } from 'node:os';

/** Exit codes for a program that a signal ended: one that this process got, too, or one that only the program got. */
const interrupted = 2;
const broken = 4;

/**
 * Runs a program and resolves with its exit code: 2 when it was ended by a signal that this process got too, 4 by
 * another one, and 127 when it cannot be started, as in a shell.
 * @param {string} program
 * @param {string[]} given arguments
 * @param {Record<string, string>} [environment] variables that are added to the environment
 * @param {object} [how]
 * @param {'ipc'[]} [how.channel] to a program that calls `follow`
 * @param {(text: string) => void} [how.write] takes what it prints, instead of showing it as it comes
 * @param {number} [how.niceness] niceness of the processes; they get the time that others leave
 * @returns {Promise<number>}
 */
export function execute(program, given, environment = {}, { channel = [], write, niceness } = {}) {
  return new Promise((settle) => {
    const output = write ? 'pipe' : 'inherit';
    const stdio = ['inherit', output, output, ...channel];
    const child = spawn(program, given, { stdio, env: { ...process.env, ...environment } });
    for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', write);
    if (niceness !== undefined && child.pid !== undefined) setPriority(child.pid, niceness);
    const kill = (signal) => child.kill(signal);
    const tell = (signal) => child.send(signal, (error) => error && kill(signal));
    let told = false;
    const pass = (signal) => {
      told = true;
      return child.connected ? tell(signal) : kill(signal);
    };
    process.on('SIGINT', pass).on('SIGTERM', pass);
    const end = (code) => {
      process.off('SIGINT', pass).off('SIGTERM', pass);
      settle(code);
    };
    child.once('error', (error) => {
      process.stderr.write(`${program} could not be started: ${error.message}\n`);
      end(127);
    });
    child.once('close', (code) => end(told ? (code ?? interrupted) : (code ?? broken)));
  });
}

/** As in esign-conformance.mjs: what runs for seconds or a few minutes is done earlier if V8 optimizes less of it. */
const flags = process.versions.node.startsWith('20.') ? ['--interrupt-budget=600000'] : [];

export function executeNode(file, given, environment, how) {
  return execute(process.execPath, [...flags, file, ...given], environment, how);
}

/** The same for a file that calls `follow`: it ends when this process is gone, and gets signals as messages. */
export function executeFollowing(file, given) {
  return execute(process.execPath, [file, ...given], {}, { channel: ['ipc'] });
}

/**
 * Ties this process to the one that started it by `executeFollowing`. Real signals do not suffice: on Windows they would
 * end it at once, and a parent that is killed can send none.
 */
export function follow() {
  if (!process.connected) return;
  const take = (signal) => process.emit(signal, signal) || process.exit(interrupted);
  process.on('message', (signal) => ['SIGINT', 'SIGTERM'].includes(signal) && take(signal));
  process.once('disconnect', () => take('SIGTERM'));
  process.channel.unref();
}
