/** Pseudonyms of the people of a profile. */
import { expect, test } from '@playwright/test';
import { defaultEmailTemplate, person, placesOfName } from '../../generators/people.ts';
import type { Profile } from '../../harness/profile/schema.ts';
import { PeopleRedactor } from '../../harness/recording/people-redaction.ts';
import { Disguise, withNames } from '../../harness/replaying/disguise.ts';

const runId = '0badcafe';
const seed = 1;
const emailTemplate = 'qa+{run}-{n}@people.acme.internal';
const someone = person(4711, { run: runId, seed, emailTemplate });

const redactor = (profile: ConstructorParameters<typeof PeopleRedactor>[0]['profile']) =>
  new PeopleRedactor({ profile, runId, seed });

const disguiseOf = (profile: object, secrets: readonly string[] = []) =>
  new Disguise({ profile: profile as Profile, runId, seed, secrets });

const acme = () => redactor({ people: { email: emailTemplate, mobileNumbers: ['+4915901234567'] } });

test('a person has the same pseudonym wherever they occur', () => {
  const text = acme().text(`{"Email":"${someone.email}","Name":"${someone.name}"}`);
  const [, code] = /Person ([0-9a-f]{6})/.exec(text) ?? [];
  expect(text).toBe(`{"Email":"person-${code}@example.invalid","Name":"Person ${code}"}`);
  const shown = (given: string) => acme().text(given);
  expect(shown(`?to=${encodeURIComponent(someone.email)}&cc=2-${someone.email}`)).toBe(
    `?to=person-${code}@example.invalid&cc=2-person-${code}@example.invalid`,
  );
  expect(shown(`Dear Madam ${someone.name.toUpperCase()},`)).toBe(`Dear Madam Person ${code},`);
  expect(shown(`name=Dear+${someone.name.replace(' ', '+')}`)).toBe(`name=Dear+Person ${code}`);
  expect(shown(`Dear%20${encodeURIComponent(someone.name)}`)).toBe(`Dear%20Person ${code}`);
});

test('the places of a name in a recording are not taken for a code with their digits', () => {
  const [first = -1, last = -1] = placesOfName(someone.name) ?? [];
  const disguise = disguiseOf({ people: { email: emailTemplate } }, [`${first}`, `${last}`]);
  expect(withNames(disguise.value({ Name: someone.name }))).toEqual({ Name: someone.name });
});

test('words that are no name stay', () => {
  const text = 'Bad Request: Document Token Not Found, Please Read And Sign';
  expect(acme().text(text)).toBe(text);
});

test('whoever else has an address at the domain of the people is hidden too', () => {
  expect(acme().text('from Jo.Doe@people.acme.internal, or qa+0-1%40PEOPLE.acme.internal')).toBe(
    'from somebody@example.invalid, or somebody@example.invalid',
  );
  const elsewhere = 'jo@acme.internal jo@people.acme.internals';
  expect(acme().text(elsewhere)).toBe(elsewhere);
});

test('a number that a profile writes without its country is hidden in other spellings too', () => {
  const national = redactor({ people: { mobileNumbers: ['(0159) 012-34567'] } });
  const spellings = '"(0159) 012-34567" 015901234567 +4915901234567 0049159 01234567 915901234568';
  expect(national.text(spellings)).toBe(
    '"([mobile number 1]" [mobile number 1] [mobile number 1] [mobile number 1] 915901234568',
  );
});

test('the mobile numbers of a profile are hidden, with or without their sign', () => {
  expect(acme().text('+4915901234567 %2B4915901234567 "4915901234567" 14915901234567')).toBe(
    '[mobile number 1] [mobile number 1] "[mobile number 1]" 14915901234567',
  );
});

test('a mobile number with its sign is no part of a longer one', () => {
  const body = { Email: 'ada@acme.internal', Mobile: '+4915907654321' };
  const people = redactor({ people: { mobileNumbers: ['+4915901234567'] }, create: { template: { body } } });
  const longer =
    '+49159012345678 %2B49159012345678 \\u002b49159012345678 &#43;49159076543210 =2B49159076543210';
  expect(people.text(longer)).toBe(longer);
  expect(people.text('\\u002b4915901234567 1+4915907654321')).toBe(
    '\\u002b[mobile number 1] 1[mobile number profile-1]',
  );
});

/** A name of one word in a body of a profile, a text of a target, and what a recording has of it. */
const words: readonly (readonly [name: string, text: string, kept: string])[] = [
  ['Signatory', '{"Name":"Signatory","Signatory":{"signatoryId":"Signatory"}}', 'the same'],
  ['signatories', '/signatures/1/signatories "signatories"', 'the same'],
  [
    'sealing',
    '{"Name":"sealing","sealing":"sealing", "sealingId":1, "a":"{\\"sealing\\":\\"sealing\\"}"}',
    '{"Name":"Person1","sealing":"Person1", "sealingId":1, "a":"{\\"sealing\\":\\"Person1\\"}"}',
  ],
  [
    'sealing',
    'https://sealing.test/sealing/1?sealing=2&by=sealing&at=sealing.at',
    'https://sealing.test/sealing/1?sealing=2&by=Person1&at=sealing.at',
  ],
  [
    'sealing',
    '<sealing>sealing</sealing> resealing {sealing} /sealing',
    '<sealing>Person1</sealing> resealing {sealing} /sealing',
  ],
  [
    'sealing',
    'Dear sealing,\\nsealing. Dear%20sealing%20and+sealing',
    'Dear Person1,\\nPerson1. Dear%20Person1%20and+Person1',
  ],
  ['sealing', Buffer.from('{"sealing":"a sealing"}').toString('base64'), 'the same'],
  ['Jörgensen', '"J\\u00f6rgensen" J%C3%B6rgensen &ouml; Jörgensens', '"Person1" Person1 &ouml; Jörgensens'],
];
for (const [name, text, kept] of words)
  test(`a name of one word is exchanged in recordings as a value or a word, never as a name of the wire: ${text}`, () => {
    const body = { Email: 'ada@acme.internal', Name: name };
    const disguise = disguiseOf({ create: { template: { body } } });
    for (const shown of [
      disguise.sent(text),
      disguise.value(text),
      `${disguise.bytes(Buffer.from(text))}`,
    ].slice(0, /ö/.test(name) ? 2 : 3))
      expect(shown).toBe(kept === 'the same' ? text : kept);
  });

test('people who are spelled out in the bodies of a profile are hidden', () => {
  const body = { Roles: [{ Email: 'ada@acme.internal', FullName: 'Ada King', Mobile: '+4915907654321' }] };
  const people = redactor({ create: { template: { body: { ...body, Title: '{title}' } } } });
  expect(people.text(JSON.stringify(body))).toBe(
    '{"Roles":[{"Email":"profile-1@example.invalid","FullName":"Person profile-1","Mobile":"[mobile number profile-1]"}]}',
  );
  expect(people.text('{title} of the Roles')).toBe('{title} of the Roles');
  expect(disguiseOf({ create: { template: { body } } }).sent(JSON.stringify(body))).toBe(
    '{"Roles":[{"Email":"profile-1@example.com","FullName":"Person 1","Mobile":"+12025550150"}]}',
  );
});

const somebody = { Email: "jörg+o'neil@people.acme.internal", Name: "Jörg O'Neil", Mobile: '+4915907654321' };
/** How encoders write a text. */
const dresses: Readonly<Record<string, (text: string) => string>> = {
  'JSON in ASCII': (text) => text.replaceAll(/[^ -~]/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`),
  'JSON of .NET': (text) =>
    text.replaceAll(
      /[^ A-Za-z0-9.@]/g,
      (sign) => `\\u00${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
    ),
  'HTML with names': (text) => text.replaceAll('ö', '&ouml;').replaceAll("'", '&#039;'),
  'HTML with numbers': (text) => text.replaceAll(/[^A-Za-z0-9]/g, (sign) => `&#${sign.charCodeAt(0)};`),
  'quoted-printable': (text) => encodeURIComponent(text).replaceAll('%20', ' ').replaceAll('%', '='),
  'a URL within another': (text) => encodeURIComponent(encodeURIComponent(text)),
  base64: (text) => Buffer.from(`x${text}`).toString('base64'),
  'bytes that are no text': (text) => Buffer.from(text).toString('latin1'),
};
for (const [name, dress] of Object.entries(dresses))
  test(`people of a profile are hidden in ${name}`, () => {
    const people = redactor({ people: { email: emailTemplate }, create: { template: { body: somebody } } });
    for (const text of Object.values(somebody)) {
      const shown = people.text(`"${dress(text)}"`);
      const left = name === 'base64' ? Buffer.from(shown, 'base64').toString() : shown;
      expect(left).not.toMatch(/neil|rg|4915907654321|people/i);
    }
  });

for (const template of [defaultEmailTemplate, 'qa-{n}@mail.test', '{run}.{n}@example.org']) {
  test(`people at a reserved domain stay as they are: ${template}`, () => {
    const invented = person(1, { run: runId, seed, emailTemplate: template });
    const text = JSON.stringify(invented);
    expect(redactor({ people: { email: template } }).text(text)).toBe(text);
    expect(redactor({}).text(text)).toBe(text);
  });
}
