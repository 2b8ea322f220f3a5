import { readFileSync } from 'node:fs';

/** The Lambda function that a process serves (Linux: proc(5)); empty if it serves none, or has exited. */
export function functionName(pid: number): string {
  try {
    return /"functionName":"([^"]+)"/.exec(readFileSync(`/proc/${pid}/cmdline`, 'utf8'))?.[1] ?? '';
  } catch {
    return '';
  }
}
