/** Writes the JSON Schema of run.json from the run model; called by `npm run schema`. */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { register } from 'tsx/esm/api';
import { executeNode } from './process.mjs';

register();
const { runSchema } = await import('../reports/run.ts');
const file = new URL('../reports/run.schema.json', import.meta.url);
writeFileSync(file, JSON.stringify(runSchema));

// In the format of the other files of the repository.
const biome = fileURLToPath(new URL('../node_modules/@biomejs/biome/bin/biome', import.meta.url));
process.exitCode = await executeNode(biome, ['format', '--write', fileURLToPath(file)]);
