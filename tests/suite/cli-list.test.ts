/** `list` prints requirements, checks and gaps. */
import { expect, test } from '@playwright/test';
import { gaps } from '../../openapi/gaps/register.ts';
import { catalogue } from '../../openapi/requirements/catalogue.ts';
import { cli } from './cli-spawn.ts';

test('list prints every requirement and every gap', async () => {
  const { code, stdout } = await cli('list');
  for (const { id } of [...catalogue, ...gaps]) expect(stdout).toContain(` ${id} `);
  expect(stdout).toContain(`${catalogue.length} requirements: `);
  expect(stdout).toContain(`${gaps.length} gaps`);
  expect(code).toBe(0);
});

test('list --json prints catalogue and register as JSON', async () => {
  const { code, stdout } = await cli('list', '--json');
  expect(JSON.parse(stdout)).toEqual(JSON.parse(JSON.stringify({ requirements: catalogue, gaps })));
  expect(code).toBe(0);
});
