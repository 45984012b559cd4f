/** Doubles hostile texts at every border, four times up to 1 MB or the most that is read: prints time and growth, and ends with 1 where it is worse than linear. */
import { borders } from '../tests/proof/fuzz/borders.ts';
import {
  cpuTimeOf,
  growthOf,
  quickMs,
  shortestOf,
  superlinearRatio,
  tellingMs,
} from '../tests/proof/fuzz/growth.ts';

const chosen = process.argv.slice(2);
const unknown = chosen.find((name) => !Object.hasOwn(borders, name));
if (unknown !== undefined) {
  process.stderr.write(`${unknown} is no border; there are: ${Object.keys(borders).join(', ')}\n`);
  process.exit(3);
}

let worse = 0;
const line = (name: string, cells: readonly (string | number)[]) =>
  process.stdout.write(`${name.padEnd(64)}${cells.map((cell) => String(cell).padStart(8)).join('')}\n`);

line('ms of CPU; of each border the text that takes longest', ['1/16', '1/8', '1/4', '1/2', 'longest']);
for (const [name, border] of Object.entries(borders)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue;
  let slowest = { piece: '', ms: -1 };
  const shortest = shortestOf(border);
  for (const piece of border.pieces) {
    const ms = await cpuTimeOf(border, piece);
    if (ms > slowest.ms) slowest = { piece, ms };
    if (ms < quickMs) continue;
    // Slow borders are measured at a quarter of each length, which tells enough; in full they would take minutes.
    const growth = await growthOf(border, piece, ms < tellingMs ? shortest : shortest / 4);
    if (growth.ratio <= superlinearRatio) continue;
    worse += 1;
    line(
      `WORSE THAN LINEAR${ms < tellingMs ? '' : ', a quarter as long'}: ${name} ${JSON.stringify(piece).slice(0, 30)}`,
      growth.ms.map(Math.round),
    );
  }
  const { ms } = await growthOf(border, slowest.piece);
  line(`${name}, ${shortest / 64} kB ${JSON.stringify(slowest.piece).slice(0, 30)}`, ms.map(Math.round));
}
process.exitCode = worse === 0 ? 0 : 1;
