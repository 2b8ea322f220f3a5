import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { takeDataFolder } from '../../../src/cli/data-folder.ts';
import { UsageError } from '../../../src/cli/usage-error.ts';

let dir: string;

beforeEach(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'inferdrop-'));
});
afterEach(() => rm(dir, { recursive: true }));

it('a folder that another process has is refused, with what to do', async () => {
  await writeFile(path.join(dir, 'stack.pid'), String(process.ppid));
  const refused = takeDataFolder(dir);
  await expect(refused).rejects.toThrow(UsageError);
  await expect(refused).rejects.toThrow(
    new RegExp(`is in use by the stack of process ${process.ppid}: stop that one, or .*--data`),
  );
});

it('a folder is free again when it is given back', async () => {
  const giveBack = await takeDataFolder(path.join(dir, 'new'));
  expect(await readdir(path.join(dir, 'new'))).toEqual(['stack.pid']);
  await giveBack();
  expect(await readdir(path.join(dir, 'new'))).toEqual([]);
});

// The highest number that Linux gives is 2^22.
it.each(['4194305', '', 'nonsense', '0', String(process.pid)])(
  'what a process left that is gone (%j) is taken over',
  async (pid) => {
    await writeFile(path.join(dir, 'stack.pid'), pid);
    await expect(takeDataFolder(dir)).resolves.toBeTypeOf('function');
  },
);

it('of many that find what a process left that is gone, one takes it over', async () => {
  await writeFile(path.join(dir, 'stack.pid'), '4194305');
  const attempts = await Promise.allSettled(Array.from({ length: 20 }, () => takeDataFolder(dir)));
  expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(await readdir(dir)).toEqual(['stack.pid']);
});

it('one that went away while it took the folder over leaves it to the next', async () => {
  await writeFile(path.join(dir, 'stack.pid'), '4194305 first');
  await writeFile(path.join(dir, 'stack.pid.after-first'), '4194306 second');
  const giveBack = await takeDataFolder(dir);
  expect(await readdir(dir)).toEqual(['stack.pid']);
  await expect(takeDataFolder(dir)).rejects.toThrow(UsageError);
  await giveBack();
  expect(await readdir(dir)).toEqual([]);
});

it('one that is taking the folder over has it', async () => {
  await writeFile(path.join(dir, 'stack.pid'), '4194305 first');
  await writeFile(path.join(dir, 'stack.pid.after-first'), `${process.ppid} second`);
  await expect(takeDataFolder(dir)).rejects.toThrow(`in use by the stack of process ${process.ppid}`);
});
