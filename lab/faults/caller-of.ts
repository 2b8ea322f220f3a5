import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import type { Socket } from 'node:net';

/** The child of this process at the other end of a connection over the loopback (Linux: proc(5)); undefined if it isn't a child. */
export function callerOf({ remotePort = 0, localPort = 0 }: Socket): number | undefined {
  const hex = (port: number): string => `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const inode = ['tcp', 'tcp6']
    .flatMap((table) => readFileSync(`/proc/net/${table}`, 'utf8').split('\n'))
    .map((line) => line.trim().split(/\s+/))
    .find(
      ([, local = '', remote = '']) => local.endsWith(hex(remotePort)) && remote.endsWith(hex(localPort)),
    )?.[9];
  if (inode === undefined) return undefined;
  const name = `socket:[${inode}]`;
  return children().find((pid) => descriptors(pid).includes(name));
}

function children(): number[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map(Number)
    .filter((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /, '');
        return Number(stat.split(' ')[1]) === process.pid;
      } catch {
        return false;
      }
    });
}

function descriptors(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).map((fd) => {
      try {
        return readlinkSync(`/proc/${pid}/fd/${fd}`);
      } catch {
        return '';
      }
    });
  } catch {
    return [];
  }
}
