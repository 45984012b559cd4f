/** observed.overlay.yaml: what turns the contract into the one that a target was seen to keep (OpenAPI Overlay 1.0.0). */
import { stringify } from 'yaml';
import type { Run } from '../run.ts';
import { type Action, update } from './action.ts';
import { callbacks } from './callbacks.ts';
import { requests } from './requests.ts';
import { responses } from './responses.ts';

const remark = `What a run saw of a target where the interface document is silent, as an OpenAPI Overlay. Applied to
openapi/esign.openapi.yaml of the suite it gives the contract that this target was seen to keep.
It is a sample: what was not sent was not seen.`;

/** The overlay as YAML text. */
export function overlay(run: Run): string {
  const document = {
    overlay: '1.0.0',
    info: { title: `Observed: ${run.target.name}`, version: run.contract.version },
    actions: actions(run),
  };
  const comment = remark.replaceAll(/^/gm, '# ');
  return `${comment}\n${stringify(document, { lineWidth: 110, aliasDuplicateObjects: false })}`;
}

/** At least one: where the contract was observed. */
export function actions(run: Run): Action[] {
  const { target, startedAt, suite } = run;
  const origin = { target: target.name, startedAt, suite: `${suite.name} ${suite.version}` };
  return [
    update(['info'], { 'x-observed': origin }, 'where this was seen'),
    ...(target.baseUrl === ''
      ? []
      : [
          update(
            ['servers', '0', 'variables', 'baseUrl'],
            { default: target.baseUrl },
            'the base URL of the target',
          ),
        ]),
    ...requests(run),
    ...responses(run),
    ...callbacks(run),
  ];
}
