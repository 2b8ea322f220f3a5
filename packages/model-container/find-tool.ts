import { existsSync } from 'node:fs';
import path from 'node:path';

/** Where Linux distributions have their tools; the `PATH` of the user's shell does not decide. */
export const TOOL_FOLDERS: readonly string[] =
  '/usr/sbin /usr/bin /sbin /bin /run/current-system/sw/bin'.split(' ');

/** The path of a tool of the system; undefined if it is not installed. */
export function findTool(tool: string): string | undefined {
  return TOOL_FOLDERS.map((folder) => path.join(folder, tool)).find(existsSync);
}
