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

/** A process and all its descendants, each with its own processor time. Linux only: empty elsewhere. */
export function processesOf(root: number): readonly { readonly id: number; readonly ownMs: number }[] {
  const processes = readProcesses();
  const children = Map.groupBy(processes, ({ parent }) => parent);
  const found = processes.filter(({ id }) => id === root);
  for (const { id } of found) found.push(...(children.get(id) ?? []));
  return found.map(({ id, ownTicks }) => ({ id, ownMs: ownTicks * TICK_MS }));
}

interface Process {
  readonly id: number;
  readonly parent: number;
  /** User and system time. */
  readonly ownTicks: number;
  /** With that of its children that have ended. */
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
    const [user = 0, system = 0, ...ended] = rest.slice(9, 13);
    const ownTicks = user + system;
    const ticks = ended.reduce((total, more) => total + more, ownTicks);
    return parent === undefined ? [] : [{ id: Number(id), parent, ownTicks, ticks }];
  });
}

/** Empty for a process that has ended meanwhile. */
function statOf(id: string): string {
  try {
    return readFileSync(`/proc/${id}/stat`, 'utf8');
  } catch {
    return '';
  }
}
