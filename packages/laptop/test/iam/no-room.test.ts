import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { openRoleStore } from '../../iam/role-store.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Begins one session while no descriptor is left, and one later. */
const STORE = `
  import { closeSync, openSync } from 'node:fs';
  import { openRoleStore } from '${join(process.cwd(), 'packages/laptop/iam/role-store.ts')}';
  const store = openRoleStore(process.argv[1]);
  const taken = [];
  try { for (;;) taken.push(openSync('/dev/null')); } catch {}
  store.remember('A', { roleArn: 'arn:aws:iam::000000000000:role/a', sessionName: 's' });
  const meanwhile = store.sessions().length;
  for (const fd of taken) closeSync(fd);
  store.remember('B', { roleArn: 'arn:aws:iam::000000000000:role/b', sessionName: 's' });
  console.log(meanwhile);
`;

it.skipIf(process.platform === 'win32')('a role is acted as also while the disk has no room', async () => {
  const dir = temporaryFolder('iam-');
  const child = spawn(
    'bash',
    ['-c', 'ulimit -n 128; exec "$0" "$@"', process.execPath, '--input-type=module', '-e', STORE, dir],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const [printed, complaint] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  expect(printed).toBe('1\n');
  expect(complaint).toMatch(
    /^iam: the session of arn:aws:iam::000000000000:role\/a is not kept: Error: EMFILE/,
  );
  expect(openRoleStore(dir).sessions()).toHaveLength(2);
});
