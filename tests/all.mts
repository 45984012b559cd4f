import { writeFileSync } from 'node:fs';
import { faults } from '../reference/faults.ts';
import { runJobs } from './faults/pool.ts';

const wanted = new RegExp(process.argv[2] ?? '');
const t = performance.now();
const out: unknown[] = [];
await runJobs(
  [null, ...Object.keys(faults).filter((f) => wanted.test(f))].map((fault) => ({ fault, everyCheck: true })),
  {
    processes: 2,
    done: (r) => {
      out.push(r);
      if (out.length % 20 === 0) console.log(out.length, Math.round(performance.now() - t));
    },
  },
);
writeFileSync('/tmp/all-faults.json', JSON.stringify(out));
console.log(out.length, Math.round(performance.now() - t));
