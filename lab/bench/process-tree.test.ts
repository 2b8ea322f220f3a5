import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { timeTree } from './process-tree.ts';

const onLinux = process.platform === 'linux';
/** Seconds that each process computes; starting costs some tenths more. */
const EACH = 0.3;
const COMPUTE =
  `const began = process.cpuUsage(); for (let used = 0; used < ${EACH * 1e6};) { const { user, system } = ` +
  'process.cpuUsage(began); used = user + system; }';

const node = async (script: string): Promise<number> =>
  (await timeTree(process.execPath, ['--input-type=module', '-e', script])).cpuSeconds;
/** Text of a script that starts another one and waits for its end. */
const waitingFor = (script: string): string =>
  `(await import('node:child_process')).execFileSync(process.execPath, ['-e', ${JSON.stringify(script)}]);`;

test.runIf(onLinux)('counts a program, an ended child and its ended child', async () => {
  const own = await node(COMPUTE);
  expect(own).toBeGreaterThanOrEqual(EACH);
  const three = await node(
    `${waitingFor(`${COMPUTE} require('node:child_process').execFileSync(process.execPath, ['-e', ${JSON.stringify(COMPUTE)}])`)} ` +
      `${COMPUTE}`,
  );
  expect(three).toBeGreaterThanOrEqual(3 * EACH - 0.05);
});

test.runIf(onLinux)('counts an orphan that has left its session, and kills it', async () => {
  // The grandparent hears that the orphan has computed, and then exits.
  const orphan = `${COMPUTE} process.send(process.pid); setInterval(() => {}, 1000);`;
  const parent = `
    const { spawn } = await import('node:child_process');
    const orphan = spawn(process.execPath, ['-e', ${JSON.stringify(orphan)}], { detached: true, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    orphan.once('message', (id) => { console.log(id); process.exit(); });`;
  const { cpuSeconds, stdout } = await timeTree(process.execPath, ['--input-type=module', '-e', parent]);
  expect(cpuSeconds).toBeGreaterThanOrEqual(EACH);
  const { stdout: state } = spawnSync('ps', ['-o', 'state=', '-p', stdout.trim()], { encoding: 'utf8' });
  expect(state.trim()).toMatch(/^Z?$/);
});

test.runIf(onLinux)('a program that fails gives no figure', async () => {
  await expect(node('process.exit(3)')).rejects.toThrow('ended with 3');
});
