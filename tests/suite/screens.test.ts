/** What a run prints where one thing is wrong fits on one screen, names cause and fix, and stands so in docs/screens.md. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { linesOn, masked, scenes, screenOf } from '../../bench/screens.ts';
import { root } from './cli-spawn.ts';

const page = masked(readFileSync(join(root, 'docs', 'screens.md'), 'utf8'));

/** When a token ends among calls that are under way is a matter of timing; trouble-transport.test.ts has its cause. */
const timed = 'A token that ends after a second';

for (const scene of scenes.filter(({ title }) => title !== timed)) {
  test(`${scene.title}: the cause once, on one screen`, async () => {
    const screen = await screenOf(scene);
    expect(linesOn(screen)).toBeLessThanOrEqual(40);
    if (scene.behave) {
      // On a busy machine other things may be told of beside it.
      const shown = masked(screen);
      const [, told = ''] = page.split(`## ${scene.title}\n`);
      for (const line of told.slice(told.indexOf('FAILED'), told.indexOf('nonconformant')).split('\n')) {
        expect(shown).toContain(line);
      }
    } else {
      expect(page).toContain(`## ${scene.title}\n\n\`\`\`\n${masked(screen)}\n\`\`\``);
    }
  });
}
