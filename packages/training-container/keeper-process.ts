/**
 * Stands between this program and one process of a host. It leads a process group and exits with the program that started it,
 * however that exits. The process and its children go with it, so that nothing of a job is left running.
 */
import { spawn } from 'node:child_process';
import type { KeeperOrder, KeeperReport, ProcessOrder } from './keeper-messages.ts';

/** The keeper is of the group as well. */
function killGroup(): void {
  process.kill(-process.pid, 'SIGKILL');
}

// Signals are for the process, which has them as well; the keeper tells how it ended.
for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(name, () => undefined);
process.on('disconnect', killGroup);
process.on('message', (order: KeeperOrder) => {
  if (order.kind === 'start') start(order);
  else process.kill(-process.pid, order.name);
});

function start({ command, cwd, environment }: ProcessOrder): void {
  const [program = '', ...args] = command;
  const child = spawn(program, args, {
    cwd,
    env: { ...environment, INFERDROP_GROUP: String(process.pid) },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  child.on('error', (error) => report({ kind: 'not-started', message: error.message }));
  child.on('exit', (code, signal) => report({ kind: 'ended', code, signal }));
}

function report(message: KeeperReport): void {
  process.send?.(message, killGroup);
}
