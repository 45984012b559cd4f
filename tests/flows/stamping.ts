/** The flow about stamps: three on one page, which differ in place and size, looked for in the completed document. */
import { type AutoStamp, stamp } from '../../generators/bodies/stamping.ts';
import type { FlowDefinition, FlowScript } from '../../harness/flows/flow.ts';
import {
  marksOf,
  measure,
  misplacement,
  outlines,
  type StampFinding,
} from '../../harness/flows/stamp-measure.ts';
import { readPdf } from '../../harness/untrusted/pdf/completed.ts';
import { role } from '../../openapi/codes.ts';
import { CouldNotRun } from '../../record/errors.ts';

const plan = { deltaX: 160, deltaY: 200 };
const small = { Height: 40, Width: 120 };
const large = { Height: 80, Width: 180 };

function at(index: number, x: number, y: number, size: AutoStamp['StampSize']): AutoStamp {
  return { ...stamp('signature', index), Offset: { X_offset: x, Y_offset: y }, StampSize: size };
}

/** The second differs from the first in x alone, the third in y and size. */
const stamps = [
  at(0, 60, 100, small),
  at(1, 60 + plan.deltaX, 100, small),
  at(2, 60, 100 + plan.deltaY, large),
];

export const stampingFlow: FlowDefinition = {
  name: 'three stamps by auto stamping',
  signatories: [{ role: role.signer, order: 1 }],
  documents: 1,
  stamps,
  proves: ['stamping.placed'],
  script: async (flow) => {
    await flow.acts(0);
    flow.judgeCompleted('stamping.placed', (files) => placed(flow, files));
  },
};

async function placed(flow: FlowScript, files: readonly Uint8Array[]): Promise<string | null> {
  const finding = await find(flow, files);
  const { places, sizes, perUnitX, perUnitY } = finding;
  if (places === 0) return 'the completed document shows nothing that the uploaded one did not';
  if (places < stamps.length)
    return `three stamps with three offsets stand at ${places} place${places > 1 ? 's' : ''}`;
  if (sizes < 2) return 'stamps of 40 by 120 and of 80 by 180 have the same size';
  if (finding.misplaced !== null) return finding.misplaced;
  if (perUnitX !== undefined && perUnitY !== undefined) {
    flow.observe('stamping.unit', 'points for one unit of X_offset', Math.abs(perUnitX));
    flow.observe('stamping.origin', 'Y_offset counts', perUnitY > 0 ? 'upwards' : 'downwards');
    flow.observe('stamping.origin', 'X_offset counts', perUnitX > 0 ? 'to the right' : 'to the left');
  }
  return null;
}

type Finding = StampFinding & { readonly misplaced: string | null };

async function find(flow: FlowScript, files: readonly Uint8Array[]): Promise<Finding> {
  const [uploaded] = flow.documents;
  if (!uploaded) throw new Error('the flow has no document');
  const before = await readPdf(uploaded.bytes);
  if (!before.readable) throw new Error('the generated document cannot be read');
  for (const file of files) {
    const after = await readPdf(file);
    if (!after.readable || !after.text.includes(uploaded.marker)) continue;
    const found = outlines(marksOf(before, after));
    return { ...measure(found, plan), misplaced: misplacement(found, { small, large }) };
  }
  throw new CouldNotRun('the uploaded document is in none of the completed ones that can be read');
}
