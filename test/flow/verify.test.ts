import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parseCommandLine } from '../../src/cli/command-line.ts';
import { Verification } from '../../src/verify/verification.ts';
import type { Laptop } from '../support/laptop.ts';
import { startLaptop } from '../support/laptop.ts';
import { silentTerminal } from '../support/silent-terminal.ts';

let laptop: Laptop;
let folder: string;

beforeAll(async () => {
  laptop = await startLaptop();
  folder = await mkdtemp(path.join(tmpdir(), 'inferdrop-verify-'));
}, 120_000);
afterAll(async () => {
  await laptop.close();
  await rm(folder, { recursive: true, force: true });
});

async function verify(...args: string[]): Promise<{ code: number; lines: readonly string[] }> {
  const terminal = silentTerminal();
  const code = await parseCommandLine(['verify', ...args])(terminal);
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
}, 60_000);
