/** The documents for people are true: their commands, options, files, links, figures, samples and screens exist, and are those of today. */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from '@playwright/test';
import { linesOn, masked, scenes, screenOf } from '../../bench/screens.ts';
import { limitDefaults } from '../../harness/profile/callback-settings.ts';
import { limits } from '../../harness/untrusted/limits.ts';
import { gaps } from '../../openapi/gaps/register.ts';
import { catalogue } from '../../openapi/requirements/catalogue.ts';
import { verdicts } from '../../record/verdict.ts';
import { settings } from '../../reference/dialect.ts';
import { faults } from '../../reference/faults.ts';
import { startReference } from '../../reference/server.ts';
import { exitCode } from '../../reports/concluding/outcome.ts';
import { runSchema } from '../../reports/run/run.ts';
import { dialectRows, everyDay } from '../proof/dialects/rows.ts';
import { cli, inProcess, root, start } from './cli-spawn.ts';

const documents = [
  ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'],
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];
const textOf = (name: string) => readFileSync(join(root, name), 'utf8');
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

/** The commands of a document: lines of its blocks for a shell, and those of npm and npx within the text. */
function commandsOf(text: string): string[] {
  const blocks = [...text.matchAll(/^ *```(sh|console)\n([\s\S]*?)^ *```/gm)].flatMap(
    ([, kind, block = '']) =>
      block.split('\n').flatMap((line) => {
        const shown = line.trim();
        if (kind === 'console') return shown.startsWith('$ ') ? [shown.slice(2)] : [];
        return shown === '' || shown.startsWith('#') ? [] : [shown];
      }),
  );
  const inline = found(text.replaceAll(/^ *```[\s\S]*?^ *```/gm, ''), /`((?:npm|npx) (?!run`)[^`]+)`/g);
  return [...blocks, ...inline].map((line) => line.replace(/\s+#.*$/, '').replace(/^(?:[A-Z_]+=\S+ )+/, ''));
}

const commandsIn = (help: string) => found(help, /^ {2}([a-z]+)(?: \[options\]| <| {2,})/gm);

/** The help of a command, and that of the commands below it. */
async function helpOf(command: string): Promise<string> {
  const { stdout } = await cli(command, '--help');
  const below = commandsIn(stdout).filter((name) => name !== 'help');
  const texts = await Promise.all(below.map((name) => cli(command, name, '--help')));
  return [stdout, ...texts.map((each) => each.stdout)].join('\n');
}

/** Gives the help, or the text, that has to have each option of a command; throws where there is no such command. */
type Read = (name: string) => Promise<string>;

const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> };

const readers: readonly (readonly [what: RegExp, read: Read])[] = [
  [
    /^(?:npm run conformance(?: -- |$)|(?:npx (?:--yes --package \S+ )?)?esign-conformance(?: |$))(?:help )?([a-z]*)/,
    async (name) => {
      const commands = commandsIn((await cli('help')).stdout);
      if (name !== '' && !commands.includes(name)) throw new Error(`there is no command ${name}`);
      return helpOf(name || 'run');
    },
  ],
  [
    /^npm run (fault|faults|dialects|fuzz)\b/,
    async (name) =>
      (await start([name.replace(/t$/, 'ts'), '--help'], { script: join(root, 'bin', 'proof.mjs') }).ended)
        .stdout,
  ],
  [
    /^npm (?:run )?([a-z-]+)(?= --|$)/,
    async (name) => {
      if (!(name in scripts)) throw new Error(`there is no script ${name}`);
      return name === 'bench' ? textOf('bench/bench.ts') : '';
    },
  ],
  [/^npx tsx (bench\/\S+)/, async (file) => textOf(file)],
];

/** Commands of other programs: that they do what the text says is for those to keep. */
const unread: readonly (readonly [what: RegExp, why: string])[] = [
  [/^npm (?:pack|ci|install)\b/, 'npm; npm run package-check packs and installs'],
  [/^npx (?:biome check|tsc|playwright test)\b/, 'a step of npm test'],
  [/^npx openapi-format/, 'applies an overlay as tests/suite/effective-contract.ts does'],
  [/^(?:export|cd|printf) /, 'the shell'],
  [/^sh \S*reproduce\//, 'a script that a run writes; tests/suite/reports-reproduce.test.ts runs such'],
];

test('every command of the documents exists, with all of its options, or is one of another program', async () => {
  const lines = [...new Set(documents.flatMap((name) => commandsOf(textOf(name))))];
  expect(lines.length).toBeGreaterThan(80);
  const read = new Map<string, Promise<string>>();
  const wrong = await Promise.all(
    lines.map(async (line) => {
      if (unread.some(([what]) => what.test(line))) return [];
      for (const [what, reader] of readers) {
        const words = what.exec(line);
        if (!words) continue;
        const given = optionsIn(line.replace(/^npx --yes --package/, ''));
        try {
          const [, name = ''] = words;
          const key = `${what} ${name}`;
          read.set(key, read.get(key) ?? reader(name));
          const known = optionsIn((await read.get(key)) ?? '');
          return given.filter((option) => !known.includes(option)).map((option) => `${line}: ${option}`);
        } catch (error) {
          return [`${line}: ${(error as Error).message}`];
        }
      }
      return [`${line}: nobody reads it, and no reason says why`];
    }),
  );
  expect(wrong.flat()).toEqual([]);
  const idle = unread.filter(([what]) => !lines.some((line) => what.test(line)));
  expect(idle).toEqual([]);
});

test('every option that the README names elsewhere exists', async () => {
  const commands = commandsIn((await cli('help')).stdout).filter((name) => name !== 'help');
  const known = optionsIn((await Promise.all(commands.map(helpOf))).join('\n'));
  const told = readme
    .split('\n')
    .filter(
      (line) => !/npx (?:playwright|tsx|--yes)|npm (?:install|run (?:dialects|faults?|fuzz))/.test(line),
    );
  expect(optionsIn(told.join('\n')).filter((option) => !known.includes(option))).toEqual([]);
});

for (const name of documents) {
  test(`every link and every path in ${name} leads somewhere`, () => {
    const text = textOf(name);
    const links = found(text, /\]\((?!https?:)([^)#]+)\)/g).map((link) => join(dirname(name), link));
    const paths = found(
      text,
      /`((?:openapi|record|generators|harness|running|reference|tests|reports|targets|bin|examples|bench|docs)\/[\w./-]*)`/g,
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
    const entries = catalogue.filter((entry) => entry.area === area);
    expect.soft(readme).toMatch(row(area, entries));
  }
  expect.soft(readme).toMatch(row('all', catalogue));
  const musts = catalogue.filter((entry) => entry.level === 'must' && !('notTestable' in entry)).length;
  expect.soft(readme).toContain(`conformant: ${musts} of ${musts} applicable musts passed (${musts} in all)`);
  const silent = catalogue.filter((entry) => 'notTestable' in entry).length;
  const figures = [
    `${Object.keys(faults).length} faults, each of which`,
    `All ${catalogue.length - silent} testable requirements`,
    `${Object.keys(settings).length} settings for what the document leaves open`,
    `puts ${everyDay.length} pairs of a compliant service and a profile`,
    `\`npm run dialects -- --all\` ${dialectRows.length}:`,
  ];
  for (const figure of figures) expect.soft(readme).toContain(figure);
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
      // A probe asks before it calls, and here is nobody to answer. All checks are run elsewhere.
      if (command?.startsWith('probe')) given.push('--yes');
      if (command?.startsWith('--target')) given.push('--only', 'otp.sms');
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

const folder = join(root, 'docs', 'sample');
const read = (name: string) => readFileSync(join(folder, name), 'utf8');
const remedy = 'run `npm run sample`, which writes docs/sample and docs/images';

for (const name of ['index.html', 'failures.html', 'incomplete.html', 'comparison.html']) {
  test(`the sample ${name} has exactly the requirements and gaps of the catalogue`, () => {
    const ids = new Set([...read(name).matchAll(/ id="((?:gap-)?[a-z]+\.[a-z0-9-]+)"/g)].map(([, id]) => id));
    const expected = [...catalogue.map(({ id }) => id), ...gaps.map(({ id }) => `gap-${id}`)];
    expect([...ids].sort(), remedy).toEqual(expected.sort());
  });
}

test('the open questions of the sample are those of the register', () => {
  const text = read('open-questions.md');
  expect(
    gaps.map(({ id }) => id).filter((id) => !text.includes(`\`${id}\``)),
    remedy,
  ).toEqual([]);
});

test('no sample is larger than 1 MB, names a folder of the machine, or a port by chance', () => {
  const names = readdirSync(folder);
  const pages = 'comparison.html failures.html incomplete.html index.html';
  expect(names.sort().join(' ')).toBe(`${pages} open-questions.md report.css ticket.md`);
  for (const name of names) {
    const text = read(name);
    expect.soft(Buffer.byteLength(text), name).toBeLessThan(1024 * 1024);
    for (const place of [root, `${tmpdir()}/`, `${homedir()}/`]) expect.soft(text).not.toContain(place);
    const ports = new Set([...text.matchAll(/127\.0\.0\.1:(\d+)/g)].map(([, port]) => port));
    expect.soft(['4010', '4011'], name).toEqual(expect.arrayContaining([...ports]));
  }
});

test('the pictures are PNG and small', () => {
  const images = join(root, 'docs', 'images');
  const names = readdirSync(images).sort();
  expect(names.join(' ')).toBe('comparison.png exploring.png failure.png phone.png report.png serve.png');
  for (const name of names) {
    expect.soft(readFileSync(join(images, name)).subarray(1, 4).toString(), name).toBe('PNG');
    expect.soft(statSync(join(images, name)).size, name).toBeLessThan(200 * 1024);
  }
});

const page = masked(readFileSync(join(root, 'docs', 'screens.md'), 'utf8'));

/** When a token ends among calls that are under way is a matter of timing; trouble-transport.test.ts has its cause. */
const timed = 'A token that ends after a second';

for (const scene of scenes.filter(({ title }) => title !== timed)) {
  test(`${scene.title}: the cause once, on one screen`, async () => {
    // Of a service that works but for one operation, the checks of that operation are told of.
    const given = scene.behave ? ['--only', 'create,stamping'] : [];
    const screen = await screenOf(scene, ...given);
    expect(linesOn(screen)).toBeLessThanOrEqual(40);
    if (scene.behave) {
      // On a busy machine other things may be told of beside it.
      const shown = masked(screen);
      const [, told = ''] = page.split(`## ${scene.title}\n`);
      for (const line of told.slice(told.indexOf('FAILED'), told.indexOf('nonconformant')).split('\n')) {
        expect(shown).toContain(line);
      }
    } else {
      expect(page).toContain(`## ${scene.title}\n\n\`\`\`\n${masked(screen)}\n\`\`\``);
    }
  });
}
