/** The people of a run are invented, told apart, and the same each time. */
import { expect, test } from '@playwright/test';
import { isValidPhoneNumber, parsePhoneNumber } from 'libphonenumber-js';
import { otpRows } from '../../generators/bodies/otp.ts';
import { fictionalMobiles, person } from '../../generators/people.ts';

const source = { run: '2024-05 Run_A', seed: 1 };
const numbers = Array.from({ length: 400 }, (_, n) => n);

test('a person is the same each time, in any order of asking', () => {
  const forwards = numbers.map((n) => person(n, source));
  const backwards = numbers.toReversed().map((n) => person(n, { ...source }));
  expect(backwards.toReversed()).toEqual(forwards);
});

test('400 people of a run have 400 addresses and 400 names', () => {
  const people = numbers.map((n) => person(n, source));
  expect(new Set(people.map(({ email }) => email)).size).toBe(400);
  expect(new Set(people.map(({ name }) => name)).size).toBe(400);
  expect(people.filter(({ name }) => !/^[A-Za-z]+ [A-Za-z]+$/.test(name))).toEqual([]);
});

test('addresses are at a domain that is reserved for documentation, and carry run and number', () => {
  expect(person(7, source).email).toBe('qa-2024-05-run-a-7@example.com');
});

test('addresses and numbers of a profile are used, in turn', () => {
  const own = { ...source, emailTemplate: 'box{n}@{run}.example.org', mobileNumbers: ['+12025550111'] };
  expect(person(3, own)).toMatchObject({
    email: 'box3@2024-05-run-a.example.org',
    mobileNumber: '+12025550111',
  });
});

test('every mobile number is a valid one in E.164', () => {
  const people = numbers.slice(0, 100).map((n) => person(n, source).mobileNumber);
  const invalid = [...people, ...Object.values(fictionalMobiles)].filter(
    (number) => !isValidPhoneNumber(number) || parsePhoneNumber(number).number !== number,
  );
  expect(invalid).toEqual([]);
});

test('numbers of a profile take the place of the fictional ones and stay out of titles', () => {
  const personOf = (place: string) => person(place.length, source);
  const rows = otpRows({ personOf, accessCode: 'a-code', mobileNumbers: { '1': '+12025550111' } });
  expect(JSON.stringify(rows.map(({ input }) => input))).toContain('+12025550111');
  expect(rows.map(({ title, cell }) => title + JSON.stringify(cell)).join()).not.toContain('2025550111');
});
