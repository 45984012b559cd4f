/** Entry of `npm run sample`: it exists in the checkout only, where TypeScript runs as it stands. */
import './preconditions.mjs';
import { register } from 'tsx/esm/api';

register();
const { sample } = await import(new URL('./sample.ts', import.meta.url).href);
process.exitCode = await sample();
