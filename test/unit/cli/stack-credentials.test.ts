import { stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { lockDataFolder } from '../../../src/cli/laptop/data-folder.ts';
import { bringUp } from '../../../src/cli/laptop/laptop-stack.ts';
import { ownerKey, storeCredentials } from '../../../src/cli/laptop/stack-credentials.ts';
import { silentTerminal } from '../../support/silent-terminal.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let dir: string;
beforeEach(async () => void (dir = temporaryFolder('inferdrop-key-')));

const modeOf = async (file: string) => ((await stat(file)).mode & 0o777).toString(8);

test('a data folder has a random key of its own, and keeps it', async () => {
  const key = await ownerKey(dir, false);
  expect(key.accessKeyId).toMatch(/^LOCAL[0-9A-F]{16}$/);
  expect(key.secretAccessKey).toMatch(/^[\w-]{40}$/);
  expect(await ownerKey(dir, false)).not.toEqual(key);
  await storeCredentials(dir, { endpoint: 'http://127.0.0.1:1', ...key });
  // Its address is that of the stack that was up last: only the key is kept for the next one.
  expect(await ownerKey(dir, false)).toEqual(key);
});

test('an open stack leaves no key that a later one would take', async () => {
  const open = await ownerKey(dir, true);
  expect(open).toEqual({ accessKeyId: 'test', secretAccessKey: 'test' });
  await storeCredentials(dir, { endpoint: 'http://127.0.0.1:1', ...open });
  expect((await ownerKey(dir, false)).accessKeyId).not.toBe('test');
});

test.skipIf(process.platform === 'win32')('no other user may read the folder or the key', async () => {
  const data = path.join(dir, 'data');
  const giveBack = await lockDataFolder(data);
  await writeFile(path.join(data, 'credentials.json'), '{}', { mode: 0o644 });
  await storeCredentials(data, { endpoint: 'http://127.0.0.1:1', accessKeyId: 'a', secretAccessKey: 's' });
  expect([await modeOf(data), await modeOf(path.join(data, 'credentials.json'))]).toEqual(['700', '600']);
  await giveBack();
});

test('credentials that cannot be read are named, and the folder is free again', async () => {
  await writeFile(path.join(dir, 'credentials.json'), '{"endpoint": ');
  const machine = { stage: 'dev', port: 0, dataDir: dir };
  const bringUpHere = () => bringUp(machine, silentTerminal());
  await expect(bringUpHere()).rejects.toThrow(/credentials\.json cannot be read.*: delete it/);
  // Not "is in use": the first attempt has given the folder back.
  await expect(bringUpHere()).rejects.toThrow(/credentials\.json cannot be read/);
});
