/** Shows the progress of a run: on a terminal one line that is rewritten, elsewhere a line for each finished area. */
import { areaOf } from '../../openapi/requirements/catalogue.ts';
import type { Verdict } from '../../record/verdict.ts';
import { firstOf } from '../run/words.ts';

const clearLine = '\r\u001b[2K';

/** How many ids the line of an area names; the end of the run names all. */
const mostNamed = 4;

type Screen = Pick<NodeJS.WriteStream, 'write' | 'isTTY' | 'columns'>;

export class Progress {
  private readonly open = new Map<string, Set<string>>();
  private readonly bad: string[] = [];
  private readonly stream: Screen;
  private readonly total: number;
  private done = 0;

  constructor(stream: Screen, ids: readonly string[]) {
    this.stream = stream;
    this.total = ids.length;
    for (const id of ids) this.open.set(areaOf(id), (this.open.get(areaOf(id)) ?? new Set()).add(id));
  }

  begin(title: string): void {
    const bad = this.bad.length > 0 ? `, not passed: ${this.bad.length}` : '';
    this.say(`${this.done} of ${this.total} checks${bad} · ${title}`);
  }

  end(id: string, verdict: Verdict): void {
    const rest = this.open.get(areaOf(id));
    if (!rest?.delete(id)) return;
    this.done += 1;
    if (verdict !== 'passed' && verdict !== 'not-applicable') this.bad.push(id);
    if (rest.size > 0 || this.stream.isTTY) return;
    const bad = this.bad.filter((each) => areaOf(each) === areaOf(id));
    const detail = bad.length > 0 ? `, ${bad.length} not passed: ${firstOf(bad, mostNamed, ' ')}` : '';
    this.stream.write(`${areaOf(id)} done (${this.done} of ${this.total} checks)${detail}\n`);
  }

  say(line: string): void {
    if (this.stream.isTTY)
      this.stream.write(clearLine + line.slice(0, Math.max(20, this.stream.columns - 1)));
  }

  clear(): void {
    if (this.stream.isTTY) this.stream.write(clearLine);
  }
}
