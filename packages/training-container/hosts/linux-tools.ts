import { findTool } from '@inferdrop/model-container/internal/find-tool';

/** The packages of the tools that exact hosts are made with. */
const PACKAGES: Readonly<Record<string, string>> = {
  unshare: 'util-linux',
  nsenter: 'util-linux',
  setpriv: 'util-linux',
  setsid: 'util-linux',
  mount: 'util-linux',
  findmnt: 'util-linux',
  ip: 'iproute2',
  hostname: 'hostname',
};

/** The path of a tool; its name where this machine does not have it. */
export function toolPath(tool: string): string {
  return findTool(tool) ?? tool;
}

/** Tools that are not installed, with the packages that have them. */
export function missingTools(): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(PACKAGES).filter(([tool]) => findTool(tool) === undefined));
}
