import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, readdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { lockDataFolder, lockWhenFree } from '../../../src/cli/laptop/data-folder.ts';
import { Refusal } from '../../../src/cli/refusal.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let dir: string;

beforeEach(async () => {
  dir = temporaryFolder('inferdrop-');
});

it('a folder that another process has is refused, with what to do', async () => {
  await writeFile(path.join(dir, 'stack.pid'), String(process.ppid));
  const refused = lockDataFolder(dir);
  await expect(refused).rejects.toThrow(Refusal);
  await expect(refused).rejects.toThrow(
    new RegExp(`is in use by the stack of process ${process.ppid}: stop that one, or .*--data`),
  );
});

it.skipIf(process.platform === 'win32')('a place of all users keeps its mode', async () => {
  await chmod(dir, 0o1777);
  await expect(lockDataFolder(dir)).rejects.toThrow(
    `${dir} is a place of all users: name a folder in it with --data`,
  );
  expect((await stat(dir)).mode & 0o7777).toBe(0o1777);
});

it('a folder is free again when it is given back', async () => {
  const giveBack = await lockDataFolder(path.join(dir, 'new'));
  expect(await readdir(path.join(dir, 'new'))).toEqual(['stack.pid']);
  await giveBack();
  expect(await readdir(path.join(dir, 'new'))).toEqual([]);
});

// The highest number that Linux gives is 2^22.
it.each(['4194305', '', 'nonsense', '0', String(process.pid)])(
  'what a process left that is gone (%j) is taken over',
  async (pid) => {
    await writeFile(path.join(dir, 'stack.pid'), pid);
    await expect(lockDataFolder(dir)).resolves.toBeTypeOf('function');
  },
);

it('this process takes a folder once', async () => {
  await lockDataFolder(dir);
  await expect(lockDataFolder(dir)).rejects.toThrow(`in use by the stack of process ${process.pid}`);
});

it('of several processes that find what one left that is gone, one takes it over', async () => {
  await writeFile(path.join(dir, 'stack.pid'), '4194305');
  const module = path.resolve(import.meta.dirname, '../../../src/cli/laptop/data-folder.ts');
  // The process that has it keeps it until its input ends, so that the others meet a living process.
  const script = `
    const { lockDataFolder } = await import(${JSON.stringify(module)});
    console.log(await lockDataFolder(${JSON.stringify(dir)}).then(() => 'taken', ({ name }) => name));
    process.stdin.resume();`;
  const attempts = Array.from({ length: 6 }, () =>
    spawn(process.execPath, ['--input-type=module', '--eval', script], {
      stdio: ['pipe', 'pipe', 'inherit'],
    }),
  );
  const answers = await Promise.all(attempts.map(({ stdout }) => once(stdout, 'data')));
  for (const { stdin } of attempts) stdin.end();
  expect(
    answers
      .map(String)
      .map((text) => text.trim())
      .toSorted(),
  ).toEqual([...Array(5).fill('Refusal'), 'taken']);
  await Promise.all(attempts.map((attempt) => once(attempt, 'exit')));
});

it('while another takes the folder over it is refused, with what to do', async () => {
  await writeFile(path.join(dir, 'stack.pid'), '4194305');
  await writeFile(path.join(dir, 'stack.pid.turn'), String(process.ppid));
  await expect(lockDataFolder(dir)).rejects.toThrow('try again (if no other is starting, delete');
  expect((await readdir(dir)).toSorted()).toEqual(['stack.pid', 'stack.pid.turn']);
});

it.each(['.turn', '.turn.turn'])(
  'what a stack left that was killed at taking over (%s) is taken over',
  async (end) => {
    await writeFile(path.join(dir, 'stack.pid'), '4194305');
    await writeFile(path.join(dir, 'stack.pid.turn'), '4194306');
    await writeFile(path.join(dir, `stack.pid${end}`), '4194307');
    const release = await lockDataFolder(dir);
    expect(await readdir(dir)).toEqual(['stack.pid']);
    await release();
  },
);

it('a folder that is waited for is taken by one after the other', async () => {
  let holders = 0;
  const hold = async (): Promise<number> => {
    const giveBack = await lockWhenFree(dir);
    const beside = holders++;
    await readdir(dir);
    holders--;
    await giveBack();
    return beside;
  };
  expect(await Promise.all([hold(), hold(), hold()])).toEqual([0, 0, 0]);
});

it('a file where the folder is to be is named, with what to do, by who waits for the folder too', async () => {
  const file = path.join(dir, 'file');
  await writeFile(file, '');
  const said = `${file} is there already, and is not what is to be made: rename it, or name another place with --data`;
  await expect(lockDataFolder(file)).rejects.toThrow(said);
  await expect(lockWhenFree(file)).rejects.toThrow(said);
  await expect(lockDataFolder(path.join(file, 'below'))).rejects.toThrow(/is a file, and a folder is meant/);
});
