import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import type { Stack } from '@inferdrop/laptop';
import { lockWhenFree } from '../../src/cli/laptop/data-folder.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..');
/** Bundles that `package-once.ts` has made. */
const PACKAGED = path.join('build', 'package', 'dev', 'bundles');

/**
 * Waits until no other test file deploys, and gives what ends this one's turn: all deployments of a checkout work in
 * `build/functions` and `.serverless`.
 */
export function takeDeploymentTurn(): Promise<() => Promise<void>> {
  return lockWhenFree(path.join(ROOT, 'build', 'deploying'));
}

/** Credentials as processes read them. */
export type Credentials = Readonly<Record<`AWS_${string}`, string>>;

/**
 * Runs `npm run deploy` or `npm run remove` against a stack on this machine, with nothing but its address and credentials; with those
 * that may do all unless others are given. Takes a folder's bundles; makes its own where that is null.
 */
export async function runDeployCommand(
  {
    endpoint,
    credentials = { AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' },
    bundles = PACKAGED,
  }: Pick<Stack, 'endpoint'> & { readonly credentials?: Credentials; readonly bundles?: string | null },
  command: 'deploy' | 'remove',
  ...options: string[]
): Promise<{ readonly code: number | null; readonly said: string }> {
  // Meanwhile nothing is packaged in the same folders, by the lock of scripts/package-application.ts.
  const giveBack = await lockWhenFree(path.join(ROOT, 'build', 'packaging'));
  const child = spawn(process.execPath, ['scripts/deploy.mjs', command, ...options], {
    cwd: ROOT,
    env: {
      ...process.env,
      AWS_ENDPOINT_URL: endpoint,
      ...credentials,
      SLS_AWS_MONITORING_FREQUENCY: '50',
      ...(bundles !== null && { INFERDROP_BUNDLES: bundles }),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [said] = await Promise.all([
    Promise.all([text(child.stdout), text(child.stderr)]),
    once(child, 'close'),
  ]).finally(giveBack);
  return { code: child.exitCode, said: said.join('') };
}
