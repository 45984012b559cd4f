/** A profile is data: nothing in it runs, reaches into the program or changes it, but for a module that it names. */
import { writeFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { fill, fillJson } from '../../harness/profile/template.ts';
import { env, load, minimal, reference, refusal } from './services/profiles.ts';

test('tags of YAML that stand for code or classes make nothing but text or a refusal', async ({}, info) => {
  for (const tag of ['!!js/function', '!!js/eval', '!!python/object/apply:os.system', '!ruby/object:Gem']) {
    const loaded = () => load(info, `${minimal}name: ${tag} "globalThis.ran = 1"\n`)?.profile.name;
    let name: unknown;
    try {
      name = loaded();
    } catch (error) {
      expect(String(error)).toContain('acme.yaml');
    }
    expect(['undefined', 'string']).toContain(typeof name);
    expect(globalThis).not.toHaveProperty('ran');
  }
});

test('keys that objects inherit are unknown keys, in one file and in one that extends another', async ({}, info) => {
  for (const key of ['__proto__', 'constructor', 'prototype']) {
    expect(refusal(info, `${minimal}${key}: { polluted: yes }\n`)).toContain(`${key} is unknown`);
    const inner = `address: { baseUrl: https://a.example, ${key}: { polluted: 1 } }\n`;
    writeFileSync(info.outputPath('base.yaml'), minimal);
    expect(refusal(info, `extends: base.yaml\n${inner}`)).toContain(`address.${key} is unknown`);
    expect(Object.prototype).not.toHaveProperty('polluted');
  }
});

test('a template knows its variables and nothing else', () => {
  const text = '{requestId} {constructor} {toString} {process.exit(1)} {__proto__} {{7*7}}';
  expect(fill(text, { requestId: 'r' })).toBe(text.replace('{requestId}', 'r'));
  // What a variable holds is not filled in again.
  expect(fill('{requestId}', { requestId: '{title}', title: 'secret' })).toBe('{title}');
  expect(fillJson({ a: ['{hasOwnProperty}'] }, {})).toEqual({ a: ['{hasOwnProperty}'] });
});

test('a reference to the environment is no command, and what it holds is not resolved again', async ({}, info) => {
  const given = { ...env, INNER: reference('TOKEN') };
  expect(load(info, `${minimal}name: "${reference('INNER')}"\n`, given)?.profile.name).toBe(
    reference('TOKEN'),
  );
  const command = '$' + '{TOKEN:-$(touch ran)} `touch ran` $(touch ran)';
  expect(load(info, `${minimal}name: '${command}'\n`)?.profile.name).toBe(command);
});
