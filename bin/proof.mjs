/** Entry of the runs that prove the suite, which exist in the checkout only: `node bin/proof.mjs dialects|faults|fuzz …`. */
import './preconditions.mjs';
import { load } from './compiled.mjs';

const [name, ...given] = process.argv.slice(2);
const { main } = await load(name);
process.exitCode = await main(given);
