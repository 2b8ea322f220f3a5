import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { installAlone } from '../../scripts/install-lock.mjs';
import { temporaryFolder } from '../support/temporary-folder.ts';

const MODULE = new URL('../../scripts/install-lock.mjs', import.meta.url).href;
const newRoot = () => temporaryFolder('install-');
const lockOf = (root: string) => path.join(root, 'build', 'installing.pid');

it('lets one process after another install', async () => {
  const root = newRoot();
  const log = path.join(root, 'log');
  const program = `
    import { appendFileSync } from 'node:fs';
    import { installAlone } from ${JSON.stringify(MODULE)};
    installAlone(${JSON.stringify(root)}, () => {
      appendFileSync(${JSON.stringify(log)}, 'begin ');
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
      appendFileSync(${JSON.stringify(log)}, 'end ');
    });`;
  const ends = await Promise.all(
    [1, 2, 3].map(async () => {
      const child = spawn(process.execPath, ['--input-type=module', '--eval', program], { stdio: 'ignore' });
      return (await once(child, 'exit'))[0] as number;
    }),
  );
  expect(ends).toEqual([0, 0, 0]);
  expect(readFileSync(log, 'utf8')).toBe('begin end '.repeat(3));
  expect(existsSync(lockOf(root))).toBe(false);
});

it('takes over the lock of a process that has ended, and gives its own back after an error', async () => {
  const root = newRoot();
  const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
  await once(child, 'exit');
  mkdirSync(path.dirname(lockOf(root)));
  writeFileSync(lockOf(root), String(child.pid));
  const lines: string[] = [];
  expect(
    installAlone(
      root,
      () => readFileSync(lockOf(root), 'utf8'),
      (line) => lines.push(line),
    ),
  ).toBe(String(process.pid));
  expect(lines).toEqual([]);
  expect(() => installAlone(root, () => expect.fail('no network'))).toThrow('no network');
  expect(existsSync(lockOf(root))).toBe(false);
});
