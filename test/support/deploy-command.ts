import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import type { Stack } from '@inferdrop/laptop';
import { takeDataFolder } from '../../src/cli/data-folder.ts';
import { UsageError } from '../../src/cli/usage-error.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..');

/**
 * Waits until no other test file deploys, and gives what ends this one's turn: all deployments of a checkout work in
 * `build/functions` and `.serverless`.
 */
export async function takeDeploymentTurn(): Promise<() => Promise<void>> {
  for (;;) {
    try {
      return await takeDataFolder(path.join(ROOT, 'build', 'deploying'));
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      await wait(100);
    }
  }
}

/** Credentials as processes read them. */
export type Credentials = Readonly<Record<`AWS_${string}`, string>>;

/**
 * Runs `npm run deploy` or `npm run remove` against a stack on this machine, with nothing but its address and credentials; with those
 * that may do all unless others are given.
 */
export async function runDeployCommand(
  {
    endpoint,
    credentials = { AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' },
  }: Pick<Stack, 'endpoint'> & { readonly credentials?: Credentials },
  command: 'deploy' | 'remove',
  ...options: string[]
): Promise<{ readonly code: number | null; readonly said: string }> {
  const child = spawn(process.execPath, ['scripts/deploy.mjs', command, ...options], {
    cwd: ROOT,
    env: {
      ...process.env,
      AWS_ENDPOINT_URL: endpoint,
      ...credentials,
      SLS_AWS_MONITORING_FREQUENCY: '50',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [said] = await Promise.all([
    Promise.all([text(child.stdout), text(child.stderr)]),
    once(child, 'close'),
  ]);
  return { code: child.exitCode, said: said.join('') };
}
