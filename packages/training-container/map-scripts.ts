import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { toHostPaths } from './host-layout.ts';
import { type HostFolders, TrainingRefused } from './training-request.ts';

/** Paths that stand for themselves within a shell's words and Python's texts, quoted or not. */
const PLAIN = /^[\p{L}\p{N}_./+@:,=~-]+$/u;

/**
 * Makes `/opt/ml` the folder of a portable host in the shell scripts and Python of channels, in the host's own copies. Only
 * channels named by the job's own command, or by their scripts in turn, are mapped. Files in archives keep it.
 *
 * @returns the files that were changed, below `input/data`
 * @throws {TrainingRefused} if a script couldn't name the host's folder
 */
export async function mapScripts(
  { data, optMl }: Pick<HostFolders, 'data' | 'optMl'>,
  command: readonly string[],
): Promise<readonly string[]> {
  const named = new Set(channelsIn(command.join(' ')));
  const changed: string[] = [];
  const channels = (await readdir(data, { withFileTypes: true })).filter((entry) => entry.isDirectory());
  // The set grows while its channels are read.
  for (const name of named) {
    if (!channels.some((channel) => channel.name === name)) continue;
    for (const file of await scriptsOf(join(data, name))) {
      // Scripts may be in any encoding: bytes are left as they are.
      const text = await readFile(file, 'latin1');
      for (const other of channelsIn(text)) named.add(other);
      const mapped = toHostPaths(text, Buffer.from(optMl).toString('latin1'));
      if (mapped === text) continue;
      requirePlain(optMl, relative(data, file));
      await writeFile(file, mapped, 'latin1');
      changed.push(relative(data, file));
    }
  }
  return changed;
}

function channelsIn(text: string): readonly string[] {
  return [...text.matchAll(/\/opt\/ml\/input\/data\/([\w.-]+)/g)].map(([, name = '']) => name);
}

async function scriptsOf(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && /\.(?:sh|py)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

function requirePlain(optMl: string, script: string): void {
  if (!PLAIN.test(optMl))
    throw new TrainingRefused([
      `channel script ${script} names /opt/ml, which is ${JSON.stringify(optMl)} here, and a shell would not read ` +
        'that as one word: start the stack with --data at a path without spaces, quotes and other signs, or with ' +
        '--training-hosts exact (Linux)',
    ]);
}
