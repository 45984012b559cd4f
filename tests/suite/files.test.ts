/** Files are written whole or not at all, and what stands in the way is named with its fix. */
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { addLine, makeFolder, writeWhole } from '../../record/files.ts';

test('a link stays one, and permissions stay as they were', async ({}, info) => {
  const [file, link, own] = ['file.txt', 'link.txt', 'own.txt'].map((name) => info.outputPath(name));
  writeFileSync(String(file), 'before', { mode: 0o640 });
  symlinkSync(String(file), String(link));
  writeWhole(String(link), 'after');
  expect(lstatSync(String(link)).isSymbolicLink()).toBe(true);
  expect(readFileSync(String(file), 'utf8')).toBe('after');
  expect(statSync(String(file)).mode & 0o777).toBe(0o640);
  writeWhole(String(own), 'mine', { modes: { file: 0o600 } });
  expect(statSync(String(own)).mode & 0o777).toBe(0o600);
});

const onLinux = [
  // A device that is always full.
  [() => writeWhole('/dev/full', 'x'), /full: cannot be written \(ENOSPC; no space is left .*make room/],
  // Below which the system answers that the folder above is not there, although it is.
  [() => makeFolder('/proc/nowhere/x'), /x: cannot be written \(ENOENT; .*make it, or name another place/],
] as const;

test('what cannot be written says why and what helps, and leaves nothing', async ({}, info) => {
  const file = info.outputPath('file.txt');
  writeFileSync(file, '');
  mkdirSync(info.outputPath('folder.txt'));
  for (const [work, says] of [
    [() => makeFolder(file), /file\.txt: cannot be written \(ENOTDIR; .* name another place\)/],
    [() => makeFolder(join(file, 'in')), /in: cannot be written \(ENOTDIR; /],
    [() => writeWhole(join(file, 'in.txt'), ''), /in\.txt: cannot be written \(ENOTDIR; /],
    [() => addLine(join(file, 'in.txt'), ''), /in\.txt: cannot be written \(ENOTDIR; /],
    [() => writeWhole(info.outputPath('folder.txt'), ''), /folder\.txt: cannot be written \(EISDIR; /],
    ...(process.platform === 'linux' ? onLinux : []),
  ] as const) {
    expect.soft(work).toThrow(says);
  }
  expect(readdirSync(info.outputPath()).sort()).toEqual(['file.txt', 'folder.txt']);
});
