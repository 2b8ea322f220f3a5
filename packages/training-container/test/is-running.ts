import { spawnSync } from 'node:child_process';

/** Whether a process lives; one that has ended and waits for its parent to look does not. */
export function isRunning(pid: number): boolean {
  const state = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).stdout.trim();
  return state !== '' && !state.startsWith('Z');
}
