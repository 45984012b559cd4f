/** The deviations file: what is wrong with it is told with line, key and fix; drafting and pruning it. */
import { writeFileSync } from 'node:fs';
import { expect, type TestInfo, test } from '@playwright/test';
import { pruneDeviations, readDeviations } from '../../reports/accepted/deviations-file.ts';
import { result, results, run } from './reports-sample.ts';

function written(info: TestInfo, text: string): string {
  const path = info.outputPath('deviations.yaml');
  writeFileSync(path, text);
  return path;
}

const good = `# kept by the integration team
deviations:
  # answers 422 since May
  - requirement: otp.sms
    targets: [sample]
    reason: a known mistake
    link: https://tickets.example.com/1
    owner: team # asks every Monday
    until: 2026-12-31
    match: OTP *
  # soon mended
  - requirement: otp.email
    reason: another one
    owner: team
    until: 2026-06-30
flaky:
  - requirement: upload.pdf
    owner: team
    until: 2026-06-30
    rate: 0.2
`;

test('entries are read with the lines on which they stand', ({}, info) => {
  const { entries } = readDeviations(written(info, good));
  expect(entries.map(({ list, line, requirement }) => [list, line, requirement])).toEqual([
    ['deviations', 4, 'otp.sms'],
    ['deviations', 12, 'otp.email'],
    ['flaky', 17, 'upload.pdf'],
  ]);
  expect(readDeviations(written(info, '')).entries).toEqual([]);
});

const wrong: readonly (readonly [title: string, text: string, message: RegExp])[] = [
  ['no YAML', 'deviations: [', /deviations\.yaml:1: is neither YAML nor JSON: /],
  [
    'an unknown key',
    good.replace('owner: team #', 'ower: team #'),
    /:8: deviations\[0\]\.ower is unknown; did you mean owner\? \(known: requirement, /,
  ],
  [
    'an owner that is not filled in',
    good.replace('owner: team #', 'owner: #'),
    /:8: deviations\[0\]\.owner is not filled in: Who/,
  ],
  [
    'a day that is not in the calendar',
    good.replace('2026-12-31', '2026-02-30'),
    /until "2026-02-30" must match format/,
  ],
  [
    'a rate above a half',
    good.replace('0.2', '0.9'),
    /:20: flaky\[0\]\.rate 0\.9 must be <= 0\.5: Share of attempts/,
  ],
];

for (const [title, text, message] of wrong) {
  test(`${title} is refused`, ({}, info) => {
    const path = written(info, text);
    expect(() => readDeviations(path)).toThrow(message);
  });
}

test('pruning removes stale entries, and keeps comments and everything else', ({}, info) => {
  const path = written(info, good);
  const failing = result('otp.sms', 'failed', {
    rows: [{ title: 'OTP by SMS', verdict: 'failed', exchanges: [] }],
  });
  const { text, removed } = pruneDeviations(path, run({ results: results(failing) }));
  expect(removed.map(({ requirement }) => requirement)).toEqual(['otp.email']);
  const [before = '', after = ''] = good.split(/ {2}# soon mended\n[\s\S]*?(?=flaky:)/);
  expect(text).toBe(before + after);
  const none = pruneDeviations(written(info, text), run({ results: results(failing) }));
  expect(none).toMatchObject({ text, removed: [] });
});
