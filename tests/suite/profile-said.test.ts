/** What a profile says about gaps, as reports show it: never a secret. */
import { writeFileSync } from 'node:fs';
import { expect, type TestInfo, test } from '@playwright/test';
import { stringify } from 'yaml';
import { saidUnder } from '../../harness/profile/literal-secrets.ts';
import { loadProfile } from '../../harness/profile/load.ts';
import { page } from '../../reports/page/page.ts';
import { gapsMarkdown } from '../../reports/ticket/gaps-markdown.ts';
import { startReferenceTarget } from '../../running/reference-target.ts';
import { record, run } from './reports-sample.ts';

const reference = (name: string) => `\${${name}}`;

function read(info: TestInfo, profile: object) {
  const file = info.outputPath('profile.yaml');
  writeFileSync(file, stringify(profile));
  const loaded = loadProfile(
    { target: file },
    { ACME_TOKEN: 'the-secret-token', ACME_KEY: 'the-secret-key' },
  );
  if (!loaded) throw new Error('there is no profile');
  return loaded;
}

const acme = {
  address: { baseUrl: 'https://acme.example.com', headers: { 'X-Key': reference('ACME_KEY') } },
  auth: { kind: 'static', token: reference('ACME_TOKEN') },
  upload: { encoding: 'raw' },
  calls: {
    send: {
      method: 'POST',
      url: '/send',
      headers: { 'X-Key': reference('ACME_KEY') },
      body: { note: 'a\nb' },
    },
  },
};

test('values are shown as they are written: references to the environment stay references', ({}, info) => {
  const loaded = read(info, acme);
  expect(saidUnder('upload.encoding', loaded)).toBe('raw');
  expect(saidUnder('auth', loaded)).toBe(`kind: static\ntoken: ${reference('ACME_TOKEN')}`);
  expect(saidUnder('calls.send', loaded)).toContain(`X-Key: ${reference('ACME_KEY')}`);
  expect(saidUnder('upload.field', loaded)).toBeUndefined();
  expect(saidUnder('callbacks.decoding', loaded)).toBeUndefined();
});

test('a profile that was not read from a file shows none of its secrets', async () => {
  const { loaded, close } = await startReferenceTarget();
  await close();
  expect(loaded.profile.auth).toMatchObject({ clientSecret: expect.any(String) });
  expect(saidUnder('auth', loaded)).toContain('clientSecret: (secret)');
  expect(saidUnder('auth.kind', loaded)).toBe('client-credentials');
  expect(saidUnder('create.template', loaded)).toContain('TemplateId: "{templateId}"');
});

test('the page and the open questions show what the profile says, beside what was observed', () => {
  const seen = { key: 'encoding', value: 'raw', stability: 'stable', exchanges: [] } as const;
  const given = run({
    record: record({
      answeredByProfile: [
        { gap: 'upload.encoding', says: 'raw' },
        { gap: 'operations.send', says: 'method: POST\nurl: /send' },
      ],
      observations: [{ gap: 'upload.encoding', ...seen }],
    }),
  });
  const text = page(given);
  expect(text).toContain('Profile key <code>upload.encoding</code>:</p><pre tabindex="0">raw</pre>');
  expect(text).toContain(
    'Profile key <code>calls.send</code>:</p><pre tabindex="0">method: POST\nurl: /send</pre>',
  );
  expect(text).toContain('Profile key <code>calls.stamps</code>, not in this profile');
  const markdown = gapsMarkdown(given);
  expect(markdown).toContain(
    '  - the profile of the integrator says `upload.encoding: "raw"`\n  - `encoding`: `raw`',
  );
  expect(markdown).toContain('`calls.send: {"method":"POST","url":"/send"}`');
});
