/** Entry of the fault runs, which exist in the checkout only. */
import './preconditions.mjs';
import { load } from './compiled.mjs';

const { main } = await load('faults');
process.exitCode = await main(process.argv.slice(2));
