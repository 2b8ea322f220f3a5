import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Where distributions have their tools; the path of the user's shell does not decide. */
export const TOOL_FOLDERS: readonly string[] = [
  '/usr/sbin',
  '/usr/bin',
  '/sbin',
  '/bin',
  '/run/current-system/sw/bin',
];

/** The packages of the tools that exact hosts are made with. */
const PACKAGES: Readonly<Record<string, string>> = {
  unshare: 'util-linux',
  nsenter: 'util-linux',
  setpriv: 'util-linux',
  setsid: 'util-linux',
  mount: 'util-linux',
  ip: 'iproute2',
  hostname: 'hostname',
};

/** The path of a tool; its name where this machine does not have it. */
export function toolPath(tool: string): string {
  const folder = folderOf(tool);
  return folder === undefined ? tool : join(folder, tool);
}

/** Tools that are not installed, with the packages that have them. */
export function missingTools(): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(PACKAGES).filter(([tool]) => folderOf(tool) === undefined));
}

function folderOf(tool: string): string | undefined {
  return TOOL_FOLDERS.find((one) => existsSync(join(one, tool)));
}
