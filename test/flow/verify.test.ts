import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Verification } from '../../src/app/verify/verification.ts';
import { runCommandLine } from '../../src/cli/command-line.ts';
import { type Laptop, startLaptop } from '../support/laptop.ts';
import { silentTerminal } from '../support/silent-terminal.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const MAIN = path.resolve(import.meta.dirname, '..', '..', 'src', 'cli', 'main.ts');
let laptop: Laptop;
let folder: string;

beforeAll(async () => {
  laptop = await startLaptop();
  folder = temporaryFolder('inferdrop-verify-');
});
afterAll(() => laptop.close());

async function verify(...args: string[]): Promise<{ code: number; lines: readonly string[] }> {
  const terminal = silentTerminal();
  const code = await runCommandLine(['verify', ...args], terminal);
  return { code, lines: terminal.lines };
}

it('reads what can be read, and says of the rest that only AWS can tell', async () => {
  await laptop.givePipeline('clothes');
  const file = path.join(folder, 'verify.txt');
  const { lines } = await verify('--json', '--save', file);
  const verification = Verification.parse(JSON.parse(lines.at(-1)!));
  const verdicts = Object.fromEntries(verification.checks.map(({ check, verdict }) => [check, verdict]));
  expect(verdicts).toMatchObject({
    deployment: 'ok',
    'lambda-concurrency': 'ok',
    'instance-quotas': 'ok',
    'role-permissions': 'ok',
    'denied-calls': 'only AWS can tell',
    'error-names': 'ok',
    'route-throttles': 'ok',
    subscriptions: 'ok',
    'unknown-names': 'ok',
    'billed-costs': 'not run',
  });
  expect(verification).toMatchObject({ spendUsd: null, estimatedUsd: 0, removed: [], left: [] });
  const saved = await readFile(file, 'utf8');
  expect(saved).toContain('denied-calls: only AWS can tell');
  expect(saved + lines.join('')).not.toMatch(/\b\d{12}\b/);
});

/** Keys of everything that verifications upload or make the stack write, whatever its version. */
async function traces(): Promise<readonly string[]> {
  const { store, endpoints } = laptop.application;
  const keys: string[] = [];
  for (const folder of ['pipelines', 'incoming', 'state', 'runs', 'index', 'endpoints', 'shared'])
    for await (const { key } of store.list(`${folder}/inferdrop-verify/`)) keys.push(key);
  for (const folder of ['functions', 'models'])
    for await (const { key } of store.list(`${folder}/`)) keys.push(key);
  for await (const name of endpoints.modelNames('verify-inferdrop-dev')) keys.push(name);
  for await (const name of endpoints.modelNames('inferdrop-inferdrop-verify')) keys.push(name);
  for await (const name of endpoints.names('inferdrop-verify')) keys.push(name);
  for await (const name of endpoints.configNames('verify')) keys.push(name);
  return keys;
}

/** A verification in a process of its own, once it has come so far; what it printed, and how it ended. */
async function interrupted(
  signal: NodeJS.Signals,
  isThere: () => Promise<true | undefined>,
): Promise<{ code: number | null; printed: string }> {
  const child = spawn(process.execPath, [MAIN, 'verify', '--spend', '2'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  child.stdout.on('data', (bytes) => (printed += String(bytes)));
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  await laptop.until(isThere);
  child.kill(signal);
  return { code: await ended, printed };
}

it('--spend asks what costs something, under the cap, and leaves nothing behind', async () => {
  const { code, lines } = await verify('--spend', '2', '--json');
  const verification = Verification.parse(JSON.parse(lines.at(-1)!));
  const verdicts = Object.fromEntries(verification.checks.map(({ check, verdict }) => [check, verdict]));
  expect(verdicts).toMatchObject({
    'alarm-message': 'only AWS can tell',
    'billed-costs': 'only AWS can tell',
    'upload-events': 'ok',
    'lambda-run': 'ok',
    'lambda-endpoint': 'ok',
    'transform-keys': 'ok',
    'stack-run': 'ok',
    'serverless-endpoint': 'ok',
    'transform-bundles': 'ok',
    'transform-instances': 'ok',
    'stack-endpoint': 'ok',
    'idle-hosts': 'ok',
    'waking-endpoint': 'ok',
    gpu: 'only AWS can tell',
  });
  const shares = verification.checks.find(({ check }) => check === 'transform-instances');
  expect(shares?.answered).toContain('2 of 2 instances: 100 and 100');
  const endpoint = verification.checks.find(({ check }) => check === 'stack-endpoint');
  expect(endpoint?.answered).toMatch(
    /32 seconds: 504 .*has not answered within 28 seconds.*update SUCCEEDED; update taken back \d+ seconds after/,
  );
  const waking = verification.checks.find(({ check }) => check === 'waking-endpoint');
  expect(waking?.answered).toMatch(/PNG: 200 .*asleep: 503 .*awake after \d+ seconds; deletion SUCCEEDED/);
  expect([code, verification.left]).toEqual([0, []]);
  expect(verification.estimatedUsd).toBeLessThanOrEqual(2);
  expect(verification.removed.join('\n')).toMatch(/rule and queue verify-inferdrop-dev-V/);
  expect(await traces()).toEqual([]);
});

it('Ctrl-C ends it early, and what it has created is removed first', async () => {
  const { store } = laptop.application;
  const { code, printed } = await interrupted('SIGINT', async () => {
    const { objects } = await store.listPage('runs/inferdrop-verify/', { limit: 1000 });
    return objects.some(({ key }) => key.endsWith('/plan.json')) || undefined;
  });
  expect(printed).toContain('Interrupted before its end.');
  expect(code).toBe(130);
  expect(await traces()).toEqual([]);
});

it('what a verification that was killed has left is removed by the next, though it only reads', async () => {
  await interrupted('SIGKILL', async () => {
    for await (const name of laptop.application.endpoints.modelNames('verify-inferdrop-dev'))
      return name.endsWith('-keys') || undefined;
    return undefined;
  });
  expect((await traces()).length).toBeGreaterThan(0);
  const { lines } = await verify('--json');
  const { removed, left } = Verification.parse(JSON.parse(lines.at(-1)!));
  expect([removed.join('\n'), left]).toEqual([
    expect.stringMatching(/model verify-inferdrop-dev-V.*-keys/),
    [],
  ]);
  expect(await traces()).toEqual([]);
});
