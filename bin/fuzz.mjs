/** Entry of the fuzz runs, which exist in the checkout only. */
import './preconditions.mjs';
import { load } from './compiled.mjs';

const { main } = await load('fuzz');
process.exitCode = await main(process.argv.slice(2));
