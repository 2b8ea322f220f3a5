import { readFileSync } from 'node:fs';

/** The Lambda function that a process serves (Linux: proc(5)); empty where it serves none, or has ended. */
export function functionName(pid: number): string {
  try {
    return /"functionName":"([^"]+)"/.exec(readFileSync(`/proc/${pid}/cmdline`, 'utf8'))?.[1] ?? '';
  } catch {
    return '';
  }
}
