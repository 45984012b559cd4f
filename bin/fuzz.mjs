/** Entry of the fuzz runs: they exist in the checkout only, where TypeScript runs as it stands. */
import './node-version.mjs';
import { register } from 'tsx/esm/api';

register();
const { main } = await import(new URL('./fuzz.ts', import.meta.url).href);
process.exitCode = await main(process.argv.slice(2));
