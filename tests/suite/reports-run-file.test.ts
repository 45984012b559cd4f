/** Writing and reading run.json, its JSON Schema, and what a folder holds after a run. */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { expect, test } from '@playwright/test';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { writtenProfileSchema } from '../../harness/profile/profile-page.ts';
import type { RequirementId } from '../../openapi/requirements/catalogue.ts';
import { published } from '../../record/published-schema.ts';
import { baselineSchema } from '../../reports/accepted/baseline.ts';
import { copyBodies, writeReports } from '../../reports/ending/write.ts';
import { deviationsSchema } from '../../reports/run/deviations.ts';
import { runSchema } from '../../reports/run/run.ts';
import { readRun } from '../../reports/run/run-file.ts';
import { ownRequirementsSchema } from '../../running/own-checks.ts';
import { exchange, failure, record, results, run } from './reports-sample.ts';

const failed = (id: RequirementId) =>
  run({
    record: record({ exchanges: [exchange(0)], created: [{ kind: 'request', id: 'r-1', exchange: 0 }] }),
    results: results(failure(id, 0)),
  });
const sample = failed('otp.sms');

const withFormats = (ajv: Ajv): Ajv => formats.default(ajv);

const schemas = {
  'reports/run': runSchema,
  'reports/deviations': deviationsSchema,
  'reports/baseline': baselineSchema,
  'reports/own-requirements': ownRequirementsSchema,
  'targets/profile': writtenProfileSchema(),
};

test('the published schemas are those of the code (npm run schema writes them), are schemas, and take what those take', () => {
  const ajv = withFormats(new Ajv({ strict: false }));
  for (const [name, schema] of Object.entries(schemas)) {
    const file = new URL(`../../${name}.schema.json`, import.meta.url);
    const kept = JSON.parse(readFileSync(file, 'utf8'));
    expect.soft(kept, name).toEqual(published(schema));
    expect.soft(ajv.validateSchema(kept), name).toBe(true);
    if (schema !== runSchema) continue;
    const theirs = ajv.compile(kept);
    const ours = ajv.compile(runSchema);
    const spoiled = { ...sample, exchanges: [{ ...sample.exchanges[0], purpose: 'none' }] };
    for (const each of [sample, { ...sample, verdict: 'fine' }, spoiled, {}])
      expect(theirs(each)).toBe(ours(each));
  }
});

test('a partial run leaves no badge of the full run before it', ({}, info) => {
  const folder = info.outputPath('reports');
  expect(writeReports(folder, sample)).toContain('badge.svg');
  expect(readdirSync(folder)).toContain('badge.svg');
  writeReports(folder, run({ selection: ['otp.sms'] }));
  expect(readdirSync(folder)).not.toContain('badge.svg');
  expect(readRun(folder).scope).toBe('partial');
});

test('scripts of an earlier run are removed, and what running them left stays', ({}, info) => {
  const folder = info.outputPath('reports');
  writeReports(folder, sample);
  expect(readdirSync(`${folder}/reproduce`).sort()).toEqual(['otp.sms.ps1', 'otp.sms.sh']);
  mkdirSync(`${folder}/reproduce/otp.sms`);
  writeReports(folder, failed('otp.email'));
  expect(readdirSync(`${folder}/reproduce`).sort()).toEqual(['otp.email.ps1', 'otp.email.sh', 'otp.sms']);
  expect(readFileSync(`${folder}/reproduce/otp.email.sh`, 'utf8')).toMatch(/^#!\/bin\/sh\n# otp\.email: /);
});

test('a run whose ids are paths gets no script anywhere', ({}, info) => {
  const folder = info.outputPath('a', 'reports');
  const requirements = sample.requirements.map((each) => ({ ...each, id: `../../${each.id}` }));
  writeReports(folder, { ...sample, requirements });
  expect(readdirSync(info.outputPath('a'))).toEqual(['reports']);
  expect(readdirSync(info.outputPath())).toEqual(['a']);
  expect(readdirSync(folder)).not.toContain('reproduce');
});

test('large bodies of an earlier run are removed, those of this one and other files stay', ({}, info) => {
  const folder = info.outputPath('reports');
  const names = ['a', 'b'].map((letter) => `${letter.repeat(64)}.bin`);
  mkdirSync(`${folder}/bodies`, { recursive: true });
  for (const name of [...names, 'mine.txt']) writeFileSync(`${folder}/bodies/${name}`, '');
  const body = { mediaType: 'application/pdf', size: 1, sha256: 'a', file: `bodies/${names[0]}` };
  const request = { ...exchange(0).request, body };
  writeReports(folder, run({ record: record({ exchanges: [exchange(0, { request })] }) }));
  expect(readdirSync(`${folder}/bodies`)).toEqual([names[0], 'mine.txt']);
});

test('bodies of others that are larger than any run keeps are not copied, however small their files are on the disk', ({}, info) => {
  const names = Array.from({ length: 17 }, (_, at) => `bodies/${String(at).padStart(32, '0')}.bin`);
  mkdirSync(info.outputPath('theirs/bodies'), { recursive: true });
  for (const name of names) writeFileSync(info.outputPath('theirs', name), '');
  const copied = () => copyBodies(names, info.outputPath('theirs'), info.outputPath('ours'));
  expect(copied()).toEqual(names);
  for (const name of names) truncateSync(info.outputPath('theirs', name), 64 * 1024 ** 2);
  rmSync(info.outputPath('ours'), { recursive: true });
  expect(copied).toThrow(/theirs: is more than is read: its bodies have 1140850688 bytes/);
  expect(existsSync(info.outputPath('ours'))).toBe(false);
});
