/** Entry of the commands for development, which only a checkout has: `node bin/proof.mjs dialects|faults|fuzz|sample …`. */
import './preconditions.mjs';
import { load } from './compiled.mjs';

const [name, ...given] = process.argv.slice(2);
const { main } = await load(name);
process.exitCode = await main(given);
