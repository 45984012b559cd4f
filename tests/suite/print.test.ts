/** All output goes through one function, which takes terminal escapes and marks of direction out of what strangers say. */
import { expect, test } from '@playwright/test';
import { Check } from '../../harness/judging/check.ts';
import { print, printCommand, printJson } from '../../record/print.ts';
import { cli } from './cli-spawn.ts';

const evil =
  '\n::error::owned\n##vso[a]\u001b]0;owned\u0007\u001b[2J\u001b[8m\u202egnp.exe\u2066\u200b\u009b31m\rover';
const unseen = /[^\P{C}\n\t]/u;
const colors = /\p{Cc}\[3[19]m/gu;

test('what a runner prints of a check that failed is harmless too', async ({}, info) => {
  const judged = { verdict: 'failed' as const, found: {}, answers: [], said: evil };
  const rows = new Check(info).rows([{ title: evil }], () => Promise.resolve(judged));
  const thrown = await rows.then(() => '').catch(({ message }: Error) => message);
  expect(thrown).toContain('over');
  expect(thrown).not.toMatch(unseen);
  expect(thrown).not.toMatch(/^\s*::|##vso\[|\u202e/m);
});

/** What a function writes to standard output. */
function written(act: () => void): string {
  const texts: string[] = [];
  const write = process.stdout.write;
  process.stdout.write = ((text: string) => texts.push(text) > 0) as typeof write;
  try {
    act();
  } finally {
    process.stdout.write = write;
  }
  return texts.join('');
}

test('what one would not see is shown as its code, our colors and all letters stay', () => {
  const shown = written(() => print(`${evil} \u001b[31mred\u001b[39m 日本語 é\n`));
  expect(shown.replaceAll(colors, '')).not.toMatch(unseen);
  expect(shown).toContain('\\u{001b}]0;owned\\u{0007}');
  expect(shown).toContain('\\u{202e}gnp.exe');
  expect(shown).toContain('\u001b[31mred\u001b[39m 日本語 é\n');
  expect(shown).not.toContain('\u001b[8m');
});

test('nothing that strangers say is a command for a CI service', () => {
  const said = ['::set-output name=a::b', ' \t::error::owned', 'a ##[error]b', '##vso[x]b', '##teamcity[a]'];
  const shown = written(() => print(`${said.join('\n')}\n\u001b[31m::warning::c\u001b[39m\n`));
  expect(shown).not.toMatch(/^\s*(?:\p{Cc}\[\d+m)?::|##(?:vso|teamcity)?\[/imu);
  expect(shown).toContain(
    '\\u{003a}:set-output name=a::b\n \t\\u{003a}:error::owned\na \\u{0023}#[error]b\n',
  );
  const json = written(() => printJson({ '##vso[a]': '##[b]' }));
  expect(json).not.toMatch(/##/);
  expect(JSON.parse(json)).toEqual({ '##vso[a]': '##[b]' });
  expect(written(() => printCommand('::error title=a::b'))).toBe('::error title=a::b\n');
  expect(written(() => print('http://[::1]:80/ a::b # c [d]'))).toBe('http://[::1]:80/ a::b # c [d]');
});

test('what a stranger wrote reaches standard error as text alone, also by way of the reader of the command line', async () => {
  for (const given of [['cleanup', `x\u001b[32mconformant\u001b[39m${evil}`], [evil], [`--${evil}`]]) {
    const { stderr } = await cli(...given);
    expect(stderr).toContain('\\u{001b}');
    expect(stderr).not.toMatch(unseen);
    expect(stderr).not.toMatch(/^\s*::|##vso\[/m);
  }
});
