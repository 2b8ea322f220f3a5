import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { UsageError } from './usage-error.ts';

/**
 * Takes a stack's data folder for this process, until the function that it gives is called: a second stack on it would not
 * see what the first one writes, and write over it. What a process left that is gone is taken over.
 *
 * @throws {UsageError} while another process has it
 */
export async function takeDataFolder(dir: string): Promise<() => Promise<void>> {
  const file = path.join(dir, 'stack.pid');
  await mkdir(dir, { recursive: true });
  for (;;) {
    if (await createFile(file, String(process.pid))) return () => rm(file, { force: true });
    const pid = Number(await readFile(file, 'utf8').catch(() => ''));
    // In a container every stack may have the same number.
    if (pid !== process.pid && isAlive(pid))
      throw new UsageError(
        `${dir} is in use by the stack of process ${pid}: stop that one, or name another folder with --data (if process ${pid} is no stack, delete ${file})`,
      );
    await rm(file, { force: true });
  }
}

async function createFile(file: string, text: string): Promise<boolean> {
  try {
    await writeFile(file, text, { flag: 'wx' });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

function isAlive(pid: number): boolean {
  // 0 and below mean groups of processes.
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // A process of somebody else is one, too.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
