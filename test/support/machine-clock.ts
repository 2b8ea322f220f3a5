import childProcess from 'node:child_process';
import { ServerResponse } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';

/** Loaded into a process by `node --import`, it gives it the time of the file that `FAULTS_CLOCK` names. */
export const CLOCK_SHIM = new URL('clock-shim.mjs', import.meta.url).href;

/**
 * Every Node process that this one starts from now on has the time of a file: milliseconds after, or before, the system's. Restricted
 * processes, which may not read that file, keep the system's.
 */
export function shareClock(file: string | undefined): void {
  const { spawn } = childProcess;
  childProcess.spawn = function (command: string, args: readonly string[], options: any) {
    if (command !== process.execPath || args.includes('--permission')) return spawn(command, args, options);
    const env = { ...(options.env ?? process.env), FAULTS_CLOCK: file };
    return spawn(command, ['--import', CLOCK_SHIM, ...args], { ...options, env });
  } as typeof spawn;
  syncBuiltinESMExports();
}

/**
 * Answers of this process carry that time, each the time at which it is sent: Node takes the header from a clock of its own, and
 * clients correct theirs by it.
 */
export function dateAnswers(now: () => number): void {
  const writeHead = ServerResponse.prototype.writeHead;
  ServerResponse.prototype.writeHead = function (this: ServerResponse, ...args: any[]) {
    this.setHeader('date', new Date(now()).toUTCString());
    return Reflect.apply(writeHead, this, args);
  } as typeof writeHead;
}
