import { readdirSync, readFileSync } from 'node:fs';

/** Ticks of Linux's clock in /proc; the same on every architecture that Node runs on. */
const TICKS_PER_SECOND = 100;

/**
 * Seconds of processor time that this process and all below it have used. On a machine that others use, too, it is what can
 * be compared. Without /proc, of this process alone.
 */
export function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  const parents = new Map<number, { readonly parent: number; readonly seconds: number }>();
  for (const name of processes()) {
    const stat = readStat(name);
    // The name of the program comes second, in parentheses, and may hold spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [parent, userTicks, systemTicks] = [fields[1], fields[11], fields[12]].map(Number);
    const seconds = ((userTicks ?? 0) + (systemTicks ?? 0)) / TICKS_PER_SECOND;
    if (stat !== '') parents.set(Number(name), { parent: parent ?? 0, seconds });
  }
  let children = 0;
  for (const [id, { seconds }] of parents) {
    let above = id;
    while (above > 1 && above !== process.pid) above = parents.get(above)?.parent ?? 0;
    if (above === process.pid && id !== process.pid) children += seconds;
  }
  return (user + system) / 1e6 + children;
}

function processes(): string[] {
  return process.platform === 'linux' ? readdirSync('/proc').filter((name) => /^\d+$/.test(name)) : [];
}

/** Empty for a process that has just ended. */
function readStat(name: string): string {
  try {
    return readFileSync(`/proc/${name}/stat`, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH'))
      return '';
    throw error;
  }
}
