/** Wrong usage of the command line: exit code 3, one clear message, no stack trace. */
import { expect, test } from '@playwright/test';
import { examples } from '../../bin/examples.ts';
import { catalogue } from '../../openapi/requirements/catalogue.ts';
import { cli, start } from './cli-spawn.ts';

const untestable = catalogue.find((entry) => 'notTestable' in entry)?.id ?? '';

const cases: readonly (readonly [title: string, given: readonly string[], message: RegExp])[] = [
  ['an unknown option', ['--bogus'], /unknown option '--bogus'/],
  ['an unknown command', ['lst'], /there is no command "lst"; did you mean list\?/],
  ['help for an unknown command', ['help', 'lst'], /there is no command "lst"; did you mean list\?/],
  ['an argument too many', ['list', 'extra'], /too many arguments for 'list'/],
  ['an unknown requirement', ['--only', 'otp.smz'], /no such requirement or area; did you mean otp\.sms\?/],
  ['one of several that is unknown', ['--only', 'otp,uplaod'], /--only uplaod: .*did you mean upload\?/],
  ['a requirement without a check', ['--only', untestable], /this requirement has no check: /],
  ['a concurrency of nothing', ['--concurrency', '0'], /Give a whole number, at least 1/],
  ['a profile that is not there', ['--target', 'nowhere.yaml'], /nowhere\.yaml: there is no such profile/],
  ['a target that a variable lacks', ['--target', ''], /--target is empty; leave it out, or give its value/],
  ['an address that a variable lacks', ['serve', '--host', ''], /--host is empty/],
  [
    'a fault that a variable lacks',
    ['serve', '--fault', 'otp.sms/refused', '--fault', ''],
    /--fault is empty/,
  ],
  ['a folder that cannot be made', ['--out', 'package.json/out'], /--out .*is no folder that can be written/],
  [
    'an unknown fault',
    ['serve', '--fault', 'otp.sms/nothing'],
    /--fault otp\.sms\/nothing: there is no such fault/,
  ],
  [
    'a requirement for a fault',
    ['serve', '--fault', 'otp.sms'],
    /of this requirement there are otp\.sms\/refused/,
  ],
  ['an unknown setting', ['serve', '--dialect', 'uploadStatu=201'], /did you mean uploadStatus\?/],
  [
    'a setting without a value',
    ['serve', '--dialect', 'uploadStatus'],
    /it lacks a value, as in uploadStatus=200/,
  ],
  [
    'a value that a setting does not take',
    ['serve', '--dialect', 'uploadStatus=299'],
    /it takes 200, 201, 202/,
  ],
  ['a run that is not there', ['report', 'nowhere'], /nowhere: there is no such file or folder/],
  ['a file that is no run', ['report', 'package.json'], /is no run of the conformance suite/],
];

for (const [title, given, message] of cases) {
  test(`${title} ends with exit code 3 and says what is wrong`, async () => {
    const { code, stdout, stderr } = await cli(...given);
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/^\s+at /m);
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
  });
}

test('the process ends with exit code 3, its message on stderr and nothing on stdout', async () => {
  const { code, stdout, stderr } = await start(['--only', 'otp.smz']).ended;
  expect(stderr).toContain('did you mean otp.sms?');
  expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
});

test('the help of each command ends with examples, whose options exist', async () => {
  for (const [name, given] of Object.entries(examples)) {
    const { code, stdout } = await cli(...name.split(' ').filter(Boolean), '--help');
    const [above = '', below = ''] = stdout.split('\nExamples:\n');
    expect.soft(below.match(/^ {2}\S*esign-conformance|^ {2}npm run/gm)?.length, name).toBeGreaterThan(1);
    const options = given.flatMap(([words]) => words.match(/--[a-z-]+/g) ?? []);
    if (!['', 'deviations'].includes(name))
      for (const each of options) expect.soft(above).toContain(`${each} `);
    expect.soft(code, name).toBe(0);
  }
  const { stdout } = await cli('help');
  const commands = [...stdout.matchAll(/^ {2}([a-z]+)(?: \[options\]| {2,})/gm)].map(([, name]) => name);
  expect(commands.filter((name) => name !== 'help' && !((name ?? '') in examples))).toEqual([]);
  expect(commands).toContain('report');
});
