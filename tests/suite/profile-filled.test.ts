/** What a profile writes out: bodies of creations, texts of calls, and whom they may name. */
import { expect, test } from '@playwright/test';
import { callbackUrlsFor } from '../../harness/flows/first-facts.ts';
import { assertNoStranger } from '../../harness/profile/addresses.ts';
import { encodingOf } from '../../harness/profile/template.ts';
import { filledCreation, withConstantFields } from '../../harness/target/creation-body.ts';
import { minimal, refusal } from './services/profiles.ts';

const people = ['one', 'two'].map((name) => ({
  name,
  email: `${name}@example.com`,
  mobileNumber: '+12025550123',
}));
const given = { title: 'T', message: 'M', documents: ['d-1', 'd-2'], people };

test('each role of a template gets a person of its own, and lists stay lists', () => {
  const settings = {
    id: '7f1c',
    roles: ['Buyer', 'Seller'],
    signatory: { Role: '{role}', Order: '{order}', Email: '{email}' },
    body: { Id: '{templateId}', Documents: '{documents}', First: '{documentToken}', People: '{signatories}' },
  };
  expect(filledCreation(settings, given)).toEqual({
    Id: '7f1c',
    Documents: ['d-1', 'd-2'],
    First: 'd-1',
    People: [
      { Role: 'Buyer', Order: 1, Email: 'one@example.com' },
      { Role: 'Seller', Order: 2, Email: 'two@example.com' },
    ],
  });
});

test('constant fields are added, and never stand in the place of a field that a check sets', () => {
  const fields = { Language: 'en', Title: 'constant' };
  expect(withConstantFields({ Title: 'own' }, { fields })).toEqual({ Language: 'en', Title: 'own' });
  expect(withConstantFields(['no object'], { fields })).toEqual(['no object']);
});

test('a variable is written for the place in which it stands', () => {
  const value = `a&b "c"/<d>`;
  expect(encodingOf('application/x-www-form-urlencoded')(value)).toBe(encodeURIComponent(value));
  expect(JSON.parse(`"${encodingOf('application/vnd.x+json')(value)}"`)).toBe(value);
  expect(encodingOf('text/xml; charset=utf-8')(value)).toBe('a&amp;b &quot;c&quot;/&lt;d&gt;');
  expect(encodingOf('text/plain')(value)).toBe(value);
});

test('nobody is written to outside of the domains of the profile', () => {
  const acme = { people: { email: 'qa-{n}@acme.internal' } };
  const names = (address: string) => Buffer.from(JSON.stringify({ Signatories: [{ Email: address }] }));
  for (const address of ['a@acme.internal', 'A@ACME.internal', 'a@example.com', 'a@b.test', 'no address']) {
    expect(() => assertNoStranger(names(address), acme)).not.toThrow();
  }
  for (const address of ['a@acme.com', 'A <a@sub.acme.internal>', 'mailto:a@b.co']) {
    expect(() => assertNoStranger(names(address), acme)).toThrow('not sent: the body names');
  }
  expect(() => assertNoStranger(Buffer.from('to=a%40b.co&x=1'), acme)).toThrow('not sent');
});

test('an address in a body of the profile that belongs to a stranger is refused, with its key', async ({}, info) => {
  const text = `${minimal}create: { fixed: { body: { Signatories: [{ Email: boss@corp.co }] } } }\n`;
  expect(refusal(info, text)).toMatch(
    /^acme\.yaml: create\.fixed\.body\.Signatories\[0\]\.Email is an address outside of the domains/,
  );
});

test('a CallbackUrl that the profile names is vouched for, others are tried and excused', () => {
  const address = { baseUrl: 'https://sandbox.example.net/v1' };
  const own = 'http://127.0.0.1:9/callbacks';
  const reserved = 'https://callback.example.com/esign-conformance';
  expect(callbackUrlsFor({ address, callbacks: { placeholderUrl: '/nobody' } }, own)).toEqual({
    callbackUrl: 'https://sandbox.example.net/v1/nobody',
    otherCallbackUrls: [reserved],
    callbackUrlVouched: true,
  });
  expect(callbackUrlsFor({ address }, own)).toMatchObject({
    callbackUrl: reserved,
    callbackUrlVouched: false,
  });
  expect(callbackUrlsFor({ address: { baseUrl: 'http://localhost:1' } }, own)).toEqual({
    callbackUrl: own,
    otherCallbackUrls: [reserved],
    callbackUrlVouched: false,
  });
});
