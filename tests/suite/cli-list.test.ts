/** `list` prints requirements, checks and gaps. */
import { expect, test } from '@playwright/test';
import { listed } from '../../bin/list.ts';
import { gaps } from '../../openapi/gaps/register.ts';
import { catalogue } from '../../openapi/requirements/catalogue.ts';
import { cli, start } from './cli-spawn.ts';

test('list prints every requirement and every gap', async () => {
  const { code, stdout: printed } = await cli('list');
  const stdout = `\n${printed}`;
  expect(stdout).not.toMatch(/[─│┌]/);
  for (const { id } of [...catalogue, ...gaps]) expect(stdout).toContain(`\n${id} `);
  expect(stdout).toContain(`${catalogue.length} requirements: `);
  expect(stdout).toContain(`${gaps.length} gaps`);
  expect(code).toBe(0);
});

test('list draws tables in a wide terminal only', async () => {
  const first = catalogue[0]?.id ?? '';
  expect(await listed({ isTTY: true, columns: 160 })).toContain(`│ ${first} `);
  expect(await listed({ isTTY: true, columns: 60 })).toContain(`${first}  (must, `);
});

test('list --json prints as much as is read, and ends quietly', async () => {
  const started = start(['list', '--json']);
  started.process.stdout?.once('data', () => started.process.stdout?.destroy());
  expect(await started.ended).toMatchObject({ code: 0, stderr: '' });
});
