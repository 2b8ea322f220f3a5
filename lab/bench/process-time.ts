import { readdirSync, readFileSync } from 'node:fs';

/** One tick of the counters in `/proc`, on every Linux that Node runs on. */
const TICK_MS = 10;

/**
 * Processor time that a process and all its descendants have used so far. Unlike times and throughput it says the same on
 * a busy machine. Linux only: NaN elsewhere.
 */
export function processorMs(root: number): number {
  const processes = readProcesses();
  const children = Map.groupBy(processes, ({ parent }) => parent);
  const own = processes.find(({ id }) => id === root);
  if (own === undefined) return Number.NaN;
  const sum = (one: Process): number =>
    one.ticks + (children.get(one.id) ?? []).reduce((total, child) => total + sum(child), 0);
  return sum(own) * TICK_MS;
}

/** Resident memory of a process and all its descendants in MiB; pages that they share count for each. Linux only: 0 elsewhere. */
export function residentMiB(root: number): number {
  const processes = readProcesses();
  const children = Map.groupBy(processes, ({ parent }) => parent);
  const sum = (id: number): number =>
    residentOf(id) + (children.get(id) ?? []).reduce((total, child) => total + sum(child.id), 0);
  return processes.length === 0 ? 0 : sum(root);
}

/** 0 for a process that has ended meanwhile. */
function residentOf(id: number): number {
  try {
    const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1];
    return Number(kilobytes ?? 0) / 1_024;
  } catch {
    return 0;
  }
}

interface Process {
  readonly id: number;
  readonly parent: number;
  readonly ticks: number;
}

function readProcesses(): readonly Process[] {
  const ids = process.platform === 'linux' ? readdirSync('/proc').filter((name) => /^\d+$/.test(name)) : [];
  return ids.flatMap((id) => {
    const line = statOf(id);
    // The name in parentheses may hold spaces.
    const [, parent, ...rest] = line
      .slice(line.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    return parent === undefined ? [] : [{ id: Number(id), parent, ticks: ticksOf(rest) }];
  });
}

/** User and system time, of the process and of its children that have ended. */
function ticksOf(fields: readonly number[]): number {
  return fields.slice(9, 13).reduce((total, ticks) => total + ticks, 0);
}

/** Empty for a process that has ended meanwhile. */
function statOf(id: string): string {
  try {
    return readFileSync(`/proc/${id}/stat`, 'utf8');
  } catch {
    return '';
  }
}
