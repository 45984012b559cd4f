/** Measures the callback listener: small and large deliveries from a second process; `npx tsx bench/listener.ts`. */
import { fork } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startListener } from '../harness/callbacks/listener.ts';

interface Load {
  readonly title: string;
  readonly count: number;
  readonly bytes: number;
  /** Deliveries in flight at the same time. */
  readonly inFlight: number;
  /** Deliveries a second that are to be reached. */
  readonly targetPerSecond: number;
}

const loads: readonly Load[] = [
  { title: '2 KB', count: 5_000, bytes: 2_000, inFlight: 64, targetPerSecond: 5_000 },
  { title: '1.4 MB', count: 200, bytes: 1_400_000, inFlight: 8, targetPerSecond: 50 },
];

const targetRssMb = 500;
/** A sender that takes longer is ended, and missing deliveries count as lost. */
const deadlineMs = 60_000;

const [role, url, which] = process.argv.slice(2);
if (role === 'send') await sendAll(url ?? '', loads[Number(which)] ?? loads[0]);
else process.exitCode = (await measure()) ? 0 : 1;

/** Prints one line a load; true when nothing was lost. */
async function measure(): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'esign-bench-'));
  const listener = await startListener({ folder, limits: { deliveriesPerCheck: 10_000 } });
  let lostNone = true;
  try {
    for (const [index, load] of loads.entries()) {
      const address = listener.open(load.title);
      const before = process.cpuUsage();
      const sender = fork(fileURLToPath(import.meta.url), ['send', address.url, String(index)]);
      const ended = new Promise<void>((resolve) => sender.once('exit', () => resolve()));
      const timer = setTimeout(() => sender.kill(), deadlineMs);
      const arrived = await address.next(load.count - 1, deadlineMs);
      await ended;
      clearTimeout(timer);
      const first = Math.min(...arrived.map(({ started }) => started.monotonicMs));
      const last = Math.max(...arrived.map(({ finished }) => finished.monotonicMs));
      const { user, system } = process.cpuUsage(before);
      const microseconds = Math.round((user + system) / load.count);
      const perSecond = Math.round((arrived.length / (last - first)) * 1_000);
      const whole = arrived.filter(
        ({ body, answered }) => body.size === load.bytes && answered.kind === 'status',
      );
      const lost = load.count - whole.length;
      lostNone &&= lost === 0;
      const reached = perSecond >= load.targetPerSecond ? 'reached' : 'missed';
      process.stdout.write(
        `${load.count} deliveries of ${load.title}: ${perSecond} a second (target ${load.targetPerSecond}: ${reached}), ${lost} lost, ${microseconds} µs of CPU each\n`,
      );
    }
    const rssMb = Math.round(process.resourceUsage().maxRSS / 1_024);
    process.stdout.write(
      `peak memory ${rssMb} MB (target under ${targetRssMb}: ${rssMb < targetRssMb ? 'reached' : 'missed'})\n`,
    );
    for (const problem of listener.problems()) process.stdout.write(`problem: ${problem}\n`);
  } finally {
    await listener.close();
    await rm(folder, { recursive: true, force: true });
  }
  return lostNone;
}

/**
 * The second process: keeps `inFlight` connections busy until all deliveries are answered. It writes prepared bytes to
 * plain sockets: an HTTP client would be slower than the listener and hide its speed.
 */
async function sendAll(target: string, load: Load | undefined): Promise<void> {
  if (!load) return;
  const { hostname, port, pathname, host } = new URL(target);
  const head = `POST ${pathname} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: ${load.bytes}\r\n\r\n`;
  const message = Buffer.concat([Buffer.from(head), Buffer.alloc(load.bytes, 'JVBERi0x')]);
  let left = load.count;
  const lane = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const socket = connect(Number(port), hostname);
      const next = (): void => {
        if (left-- > 0) socket.write(message);
        else socket.end();
      };
      socket.once('connect', next);
      // An answer has no body: each ends with the empty line behind its header.
      socket.on('data', (chunk) => {
        if (chunk.toString('latin1').endsWith('\r\n\r\n')) next();
      });
      socket.once('error', reject);
      socket.once('close', () => resolve());
    });
  await Promise.all(Array.from({ length: load.inFlight }, lane));
}
