import { runExplored } from '../tests/proof/exploring/run-explored.ts';
const { explored, red } = await runExplored({ fault: null, seed: Number(process.argv[2]), steps: 300 });
console.log(red, explored.stories.map((s) => [s.requirement, s.says, s.sequence, s.firstLength, s.calls, s.confirmed].map((x) => JSON.stringify(x)).join('\n')).join('\n\n'));
