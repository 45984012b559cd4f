/** The documents for people are true: their commands, options, files, links and figures exist. */
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, test } from '@playwright/test';
import { limitDefaults } from '../../harness/callbacks/limits.ts';
import { limits } from '../../harness/untrusted/limits.ts';
import { catalogue } from '../../openapi/requirements/catalogue.ts';
import { verdicts } from '../../record/verdict.ts';
import { startReference } from '../../reference/server.ts';
import { exitCode } from '../../reports/judging/outcome.ts';
import { runSchema } from '../../reports/run/run.ts';
import { cli, inProcess, root, start } from './cli-spawn.ts';

const documents = [
  ...['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md'],
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];
const textOf = (name: string) => readFileSync(join(root, name), 'utf8');
const all = documents.map(textOf).join('\n');
const readme = textOf('README.md');

/** Every match of a pattern, or of its first group, each once. */
function found(text: string, pattern: RegExp): string[] {
  return [...new Set([...text.matchAll(pattern)].map(([whole, group]) => group ?? whole))].sort();
}

const optionsIn = (text: string) => found(text, /(?<![\w-])--[a-z][a-z-]*/g);

test('the README says in its first 15 lines what it is, both commands, and what they print', () => {
  const top = readme.split('\n').slice(0, 15).join('\n');
  expect(top).toMatch(/^# \S/);
  expect(top).toContain('$ npm run conformance');
  expect(top).toContain('$ npm test');
  expect(top).toMatch(/^conformant: \d+ of \d+ applicable musts passed/m);
});

test('every npm script that is named exists', () => {
  const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> };
  const named = found(all, /npm run (?:--silent )?([a-z][a-z:-]*)/g);
  expect(named).toContain('conformance');
  expect(named.filter((name) => !(name in scripts))).toEqual([]);
});

const commandsIn = (help: string) => found(help, /^ {2}([a-z]+)(?: \[options\]| <| {2,})/gm);

/** The help of a command, and that of the commands below it. */
async function helpOf(command: string): Promise<string> {
  const { stdout } = await cli(command, '--help');
  const below = commandsIn(stdout).filter((name) => name !== 'help');
  const texts = await Promise.all(below.map((name) => cli(command, name, '--help')));
  return [stdout, ...texts.map((each) => each.stdout)].join('\n');
}

test('every command and option of the command line that is named exists', async () => {
  const { stdout: overview } = await cli('help');
  const commands = commandsIn(overview).filter((name) => name !== 'help');
  expect(commands).toContain('run');
  const help = await Promise.all(commands.map(helpOf));
  const calls = found(all, /npm run conformance -- ([^\n`#|]+)/g);
  expect(calls.length).toBeGreaterThan(5);
  const wrong = calls.flatMap((call) => {
    const [first = ''] = call.replace(/^help /, '').split(' ');
    const command = commands.indexOf(first.startsWith('-') ? 'run' : first);
    if (command < 0) return [`there is no command ${first}`];
    const known = optionsIn(help[command] ?? '');
    return optionsIn(call).filter((option) => !known.includes(option));
  });
  expect(wrong).toEqual([]);
  const ours = readme
    .split('\n')
    .filter((line) => !/npx (?:playwright|--yes)|npm (?:install|run (?:dialects|faults?|fuzz))/.test(line));
  const known = optionsIn(help.join('\n'));
  expect(optionsIn(ours.join('\n')).filter((option) => !known.includes(option))).toEqual([]);
});

test('every option of Playwright that is named exists', async () => {
  const script = createRequire(import.meta.url).resolve('@playwright/test/cli');
  const { stdout } = await start(['test', '--help'], { script }).ended;
  const named = all.split('\n').filter((line) => line.includes('npx playwright test'));
  expect(optionsIn(named.join('\n')).filter((option) => !optionsIn(stdout).includes(option))).toEqual([]);
});

for (const name of documents) {
  test(`every link and every path in ${name} leads somewhere`, () => {
    const text = textOf(name);
    const links = found(text, /\]\((?!https?:)([^)#]+)\)/g).map((link) => join(dirname(name), link));
    const paths = found(
      text,
      /`((?:openapi|generators|harness|reference|tests|reports|targets|bin|examples|bench|docs)\/[\w./-]*)`/g,
    );
    const own = /^(?:reports\/out(?:\/.*)?|targets\/acme\.yaml)$/;
    const lost = [...links, ...paths].filter((path) => !own.test(path) && !existsSync(join(root, path)));
    expect(lost).toEqual([]);
  });
}

test('the figures of the README are those of the catalogue', () => {
  const areas = [...new Set(catalogue.map(({ area }) => area))];
  const row = (title: string, entries: typeof catalogue) => {
    const count = (key: string) => entries.filter((entry) => key in entry).length;
    const cells = [count('check'), 0, count('notTestable')].map(String);
    return new RegExp(`^│ ${title} +│ +${cells.join(' │ +')} │$`, 'm');
  };
  for (const area of areas) {
    expect.soft(readme).toMatch(
      row(
        area,
        catalogue.filter((entry) => entry.area === area),
      ),
    );
  }
  expect.soft(readme).toMatch(row('all', catalogue));
  const musts = catalogue.filter((entry) => entry.level === 'must' && !('notTestable' in entry)).length;
  expect.soft(readme).toContain(`conformant: ${musts} of ${musts} applicable musts passed (${musts} in all)`);
  const silent = catalogue.filter((entry) => 'notTestable' in entry).length;
  expect.soft(readme).toContain(`${silent} of the ${catalogue.length} requirements are marked not testable`);
});

test('the commands of the README for a sandbox, and that for its vendor, work as they stand at one', async ({}, info) => {
  const [, block = ''] = /### Check a sandbox\n\n```sh\n([\s\S]*?)```/.exec(readme) ?? [];
  const ticket = found(readme, /`npm run conformance -- (report [^`]+)`/g);
  const commands = [...found(block, /^npm run conformance -- (.+)$/gm).sort(), ...ticket];
  expect(commands.map((command) => command.split(' ')[0])).toEqual(['--target', 'probe', 'report']);
  mkdirSync(info.outputPath('empty'), { recursive: true });
  const reference = await startReference({});
  const env = { ESIGN_TOKEN: reference.tokens.valid };
  const codes = [];
  try {
    for (const command of ['probe', '--target', 'report'].map((name) =>
      commands.find((each) => each.startsWith(name)),
    )) {
      const given = `${command}`.replace('https://sandbox.example.com', reference.baseUrl).split(' ');
      // A probe asks before it calls, and here is nobody to answer.
      if (command?.startsWith('probe')) given.push('--yes');
      const { code, stderr } = await inProcess(given, env, info.outputPath('empty'));
      expect(stderr).not.toContain('error');
      codes.push(code);
    }
  } finally {
    await reference.close();
  }
  expect(codes).toEqual([0, 0, 0]);
  expect(readdirSync(info.outputPath('empty', 'case'))).toContain('ticket-otp.sms.md');
});

test('the README explains every verdict and every exit code', () => {
  for (const verdict of verdicts) expect.soft(readme).toContain(`| \`${verdict}\` |`);
  const ofRuns = found(JSON.stringify(runSchema.properties.verdict), /"(\w+)"/g).filter((each) =>
    ['conformant', 'nonconformant', 'incomplete', 'partial', 'error'].includes(each),
  );
  expect(ofRuns).toHaveLength(5);
  for (const verdict of ofRuns) expect.soft(readme).toContain(`\`${verdict}\`:`);
  for (const code of Object.values(exitCode))
    expect.soft(readme).toMatch(new RegExp(`^\\| ${code} \\|`, 'm'));
});

test('SECURITY.md shows the bounds as they are', () => {
  const listener = [
    ['the body of a callback', `${limitDefaults.bodyBytes} bytes`],
    ['the headers of a callback', `${limitDefaults.headerBytes} bytes`],
    ['callbacks to one address', `${limitDefaults.deliveriesPerCheck}`],
    ['callbacks to all addresses', `${limitDefaults.deliveries}`],
    ['the bodies of all callbacks', `${limitDefaults.bytes} bytes`],
    ['the time in which a callback arrives', `${limitDefaults.arrivalMs} ms`],
    ['open connections', `${limitDefaults.connections}`],
  ];
  const rows = [
    ...listener.map(([of, most]) => `| ${of} | ${most} | callbacks.limits |`),
    ...Object.values(limits).map(
      ({ of, most, unit, why }) => `| ${of} | ${`${most} ${unit}`.trim()} | ${why} |`,
    ),
  ];
  const table = ['| of | at most | why |', '|---|---|---|', ...rows].join('\n');
  const shown = textOf('SECURITY.md').split('<!-- bounds -->')[1]?.split('<!-- /bounds -->')[0]?.trim();
  expect(shown).toBe(table);
});
