/** `npm run schema`: writes the files that follow from the code, JSON Schemas and the pages about observations and the profile. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { register } from 'tsx/esm/api';
import { executeNode } from './process.mjs';

register();
const { published } = await import('../record/published-schema.ts');
const { runSchema } = await import('../reports/run/run.ts');
const { deviationsSchema } = await import('../reports/run/deviations.ts');
const { ownRequirementsSchema } = await import('../running/own-checks.ts');
const { baselineSchema } = await import('../reports/accepted/baseline.ts');
const { observationsPage } = await import('../openapi/gaps/observations-page.ts');
const { profilePage, writtenProfileSchema } = await import('../harness/profile/profile-page.ts');
const schemas = {
  '../reports/run.schema.json': runSchema,
  '../reports/deviations.schema.json': deviationsSchema,
  '../reports/baseline.schema.json': baselineSchema,
  '../reports/own-requirements.schema.json': ownRequirementsSchema,
  '../targets/profile.schema.json': writtenProfileSchema(),
};
const files = Object.entries(schemas).map(([path, schema]) => {
  const file = fileURLToPath(new URL(path, import.meta.url));
  writeFileSync(file, JSON.stringify(published(schema)));
  return file;
});

const [observations, profile] = ['observations', 'profile'].map((name) =>
  fileURLToPath(new URL(`../docs/${name}.md`, import.meta.url)),
);
writeFileSync(observations, observationsPage());
writeFileSync(profile, profilePage(readFileSync(profile, 'utf8')));

// Formats the files like all others of the repository.
const biome = fileURLToPath(new URL('../node_modules/@biomejs/biome/bin/biome', import.meta.url));
process.exitCode = await executeNode(biome, ['format', '--write', ...files]);
