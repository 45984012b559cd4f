/** Files are written whole or not at all, and what stands in the way is named with its fix. */
import { execFileSync } from 'node:child_process';
import {
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { addLine, makeFolder, openToOthers, writeWhole } from '../../record/files.ts';

test('a link that the user names stays one, and permissions stay as they were', async ({}, info) => {
  const [file, link, own] = ['file.txt', 'link.txt', 'own.txt'].map((name) => info.outputPath(name));
  writeFileSync(String(file), 'before', { mode: 0o640 });
  symlinkSync(String(file), String(link));
  writeWhole(String(link), 'after', { named: 'by-user' });
  expect(lstatSync(String(link)).isSymbolicLink()).toBe(true);
  expect(readFileSync(String(file), 'utf8')).toBe('after');
  expect(statSync(String(file)).mode & 0o777).toBe(0o640);
  writeWhole(String(own), 'mine', { modes: { file: 0o600 } });
  expect(statSync(String(own)).mode & 0o777).toBe(0o600);
});

test('what others may put in the place of a file of ours is replaced, and leads to no other file', async ({}, info) => {
  const [other, ours, more] = ['other.txt', 'ours.txt', 'more.txt'].map((name) => info.outputPath(name));
  writeFileSync(String(other), 'private', { mode: 0o600 });
  for (const put of [symlinkSync, linkSync]) {
    put(String(other), String(ours));
    expect(addLine(String(ours), 'line')).toBe(false);
    openToOthers(String(ours));
    writeWhole(String(ours), 'mine\n');
    expect(addLine(String(ours), 'line')).toBe(true);
    expect(readFileSync(String(ours), 'utf8')).toBe('mine\nline\n');
    rmSync(String(ours));
  }
  execFileSync('mkfifo', [String(more)]);
  expect(addLine(String(more), 'line')).toBe(false);
  const left = [readFileSync(String(other), 'utf8'), statSync(String(other)).mode & 0o777];
  expect(left).toEqual(['private', 0o600]);
});

const onLinux = [
  // A device that is always full.
  [
    () => writeWhole('/dev/full', 'x', { named: 'by-user' }),
    /full: cannot be written \(ENOSPC; no space is left .*make room/,
  ],
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
    [() => writeWhole(info.outputPath('folder.txt'), ''), /folder\.txt: cannot be written \(EISDIR; /],
    ...(process.platform === 'linux' ? onLinux : []),
  ] as const) {
    expect.soft(work).toThrow(says);
  }
  expect(readdirSync(info.outputPath()).sort()).toEqual(['file.txt', 'folder.txt']);
});
