import { Combined, combinedFaults } from '../reference/faults/combined.ts';
import { runExplored } from '../tests/proof/exploring/run-explored.ts';
const fired = new Map<string, number>();
const P = Combined.prototype as any;
let collect = new Set<string>();
P.does = function (what: string, situation: () => any) {
  let seen: any;
  for (const [id, t] of Object.entries(combinedFaults) as any) if (t.when && t.does === what) { seen ??= situation(); if (t.when(seen)) {
    // admits only counts where it would change something is approximated
    collect.add(id); } }
  return false;
};
Object.defineProperty(P, 'any', { get: () => true });
P.added = function (request: any, who: any) { for (const [id, t] of Object.entries(combinedFaults) as any) if (t.does === 'adds' && t.about(this.situation(request, { who }))) collect.add(id); return []; };
P.attached = function (files: any, request: any) { for (const [id, t] of Object.entries(combinedFaults) as any) if (t.does === 'attaches') { const r = t.files(files, this.situation(request)); if (JSON.stringify(r.map((f:any)=>f.fileName)) !== JSON.stringify(files.map((f:any)=>f.fileName))) collect.add(id); } return files; };
for (const seed of process.argv.slice(2).map(Number)) {
  collect = new Set();
  const { explored, calls, ms, red } = await runExplored({ fault: null, seed, steps: 300 });
  const all = Object.keys(combinedFaults);
  console.log(seed, `${collect.size}/${all.length}`, `${explored.sequences} sequences, ${explored.situations.seen}/${explored.situations.of}, ${calls} calls, ${ms} ms, red ${red}, blocked ${explored.blocked}`, 'not fired:', all.filter((x) => !collect.has(x)).join(' '));
  for (const id of collect) fired.set(id, (fired.get(id) ?? 0) + 1);
}
