import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import type { Stack } from '../../local/stack.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..');

/** Runs `npm run deploy` or `npm run remove` against a stack on this machine, with nothing but its address and credentials. */
export async function runDeployCommand(
  { endpoint }: Pick<Stack, 'endpoint'>,
  command: 'deploy' | 'remove',
  ...options: string[]
): Promise<{ readonly code: number | null; readonly said: string }> {
  const child = spawn(process.execPath, ['scripts/deploy.mjs', command, ...options], {
    cwd: ROOT,
    env: {
      ...process.env,
      AWS_ENDPOINT_URL: endpoint,
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
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
