/** The OTP matrix: the outcome of every cell, written down apart from the rules that compute it. */
import { expect, test } from '@playwright/test';
import { type OtpCell, otpRow, otpRows, silentSample } from '../../generators/bodies/otp.ts';
import { person } from '../../generators/people.ts';
import { validateRequest } from '../../openapi/contract.ts';

const personOf = (place: string) => person(place.length, { run: 'run-1', seed: 1 });
const given = { personOf, accessCode: 'a-code' };
const rows = otpRows(given);

/**
 * A: accepted, R: refused, -: silent. A line for IsRequired and Type; first without, then with an AccessCode;
 * in each half MobileNumber is absent, null, empty, letters, and a valid number of each of four countries.
 */
const outcomes: Readonly<Record<string, string>> = {
  'true 1': 'A------- --------',
  'true 2': 'RRRRAAAA RRRR----',
  'true 3': '-------- A-------',
  'true 4': 'RRRRAAAA RRRR----',
  'false 1': 'A------- --------',
  'false 2': '----AAAA --------',
  'false 3': '-------- A-------',
  'false 4': '----AAAA --------',
};

const letters = { accepted: 'A', refused: 'R', silent: '-' } as const;

for (const [line, expected] of Object.entries(outcomes)) {
  test(`IsRequired and Type ${line} have the outcomes ${expected}`, () => {
    const half = (accessCode: OtpCell['accessCode']) =>
      rows
        .filter(({ cell }) => `${cell.isRequired} ${cell.type}` === line && cell.accessCode === accessCode)
        .map(({ outcome }) => letters[outcome])
        .join('');
    expect(`${half('absent')} ${half('set')}`).toBe(expected);
  });
}

test('the contract finds fault with the refused rows and with no accepted one', () => {
  const problems = rows.map(({ outcome, input }) => ({
    outcome,
    found: 'json' in input ? validateRequest('addSignatory', input.json).length : 0,
  }));
  expect(problems.filter(({ outcome, found }) => outcome === 'accepted' && found > 0)).toEqual([]);
  expect(problems.filter(({ outcome, found }) => outcome === 'refused' && found === 0)).toEqual([]);
});

test('a refused row names MobileNumber, and is accepted with a valid number alone', () => {
  const refused = rows.filter(({ outcome }) => outcome === 'refused');
  expect(new Set(refused.map(({ breaks }) => breaks))).toEqual(new Set(['/OTP/MobileNumber']));
  const twins = refused.map(
    ({ cell }) => otpRow({ ...cell, mobile: 'valid us', accessCode: 'absent' }, given).outcome,
  );
  expect(new Set(twins)).toEqual(new Set(['accepted']));
});

test('a silent row, and no other, names the gap that it probes', () => {
  expect(rows.filter(({ outcome, gap }) => (outcome === 'silent') !== (gap !== undefined))).toEqual([]);
});

test('numbers of a profile take the place of the fictional ones and stay out of titles', () => {
  const own = otpRows({ ...given, mobileNumbers: { '1': '+12025550111' } });
  expect(own).toHaveLength(80);
  expect(JSON.stringify(own.map(({ input }) => input))).toContain('+12025550111');
  expect(own.map(({ title, cell }) => title + JSON.stringify(cell)).join()).not.toContain('2025550111');
});

test('the sample holds every gap with each Type, in few rows', () => {
  const silent = rows.filter(({ outcome }) => outcome === 'silent');
  const kinds = (of: typeof rows) => new Set(of.map(({ gap, cell }) => `${gap} ${cell.type}`));
  expect(kinds(silentSample(rows))).toEqual(kinds(silent));
  expect(silentSample(rows).length).toBeLessThan(silent.length / 6);
});
