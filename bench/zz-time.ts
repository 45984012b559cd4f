import { Drawing } from '../harness/exploring/draw.ts';
import { lengthOf } from '../record/sequence.ts';
const means = { signs: true, sends: true, approves: true, views: true, deletes: true, neighbour: true, callbacks: true, otp: [1,2,3,4], enters: true, people: 6, documents: 3 };
let t = performance.now();
const d = new Drawing(1, means);
console.log('sample', performance.now() - t, d.possible);
t = performance.now(); let steps = 0, n = 0;
while (steps < 300) { const s = d.next(300 - steps); steps += lengthOf(s); n++; }
console.log('draw', performance.now() - t, n, steps, d.situations.count);
