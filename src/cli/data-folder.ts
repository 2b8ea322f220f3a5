import { randomUUID } from 'node:crypto';
import { chmod, constants, copyFile, link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { UsageError } from './usage-error.ts';

/** Folders that this process has, or is about to take. */
const taken = new Set<string>();

/**
 * Takes a stack's data folder for this process, until the function that it gives is called: a second stack on it would not
 * see what the first one writes, and write over it. What a process left that is gone is taken over.
 *
 * @throws {UsageError} while another process has it, or takes it over
 */
export async function takeDataFolder(dir: string): Promise<() => Promise<void>> {
  const file = path.join(dir, 'stack.pid');
  if (taken.has(file)) throw inUse(file, process.pid);
  taken.add(file);
  try {
    await mkdir(dir, { recursive: true, mode: 0o700 });
    // A folder of an earlier release may be open to other users of the machine.
    await chmod(dir, 0o700);
    while (!(await createLock(file))) await removeLeftLock(file);
  } catch (error) {
    taken.delete(file);
    throw error;
  }
  return async () => {
    await rm(file, { force: true });
    taken.delete(file);
  };
}

/**
 * One at a time: of two that have seen the same old lock, the second would remove the new lock of the first. Whose turn it is stands in
 * a lock, too, which may be left by a process that was killed in its turn.
 */
async function removeLeftLock(file: string): Promise<void> {
  const turn = `${file}.turn`;
  while (!(await createLock(turn))) await removeLeftLock(turn);
  try {
    const text = await readFile(file, 'utf8').catch(ignoring('ENOENT'));
    if (text === undefined) return;
    const pid = Number(text);
    // In a container every stack may have the same number.
    if (pid !== process.pid && isAlive(pid)) throw inUse(file, pid);
    await rm(file);
  } finally {
    await rm(turn);
  }
}

function inUse(file: string, pid: number): UsageError {
  if (file.endsWith('.turn'))
    return new UsageError(
      `${path.dirname(file)} is being taken over by another stack: try again (if no other is starting, delete ${file})`,
    );
  return new UsageError(
    `${path.dirname(file)} is in use by the stack of process ${pid}: stop that one, or name another folder with --data (if process ${pid} is no stack, delete ${file})`,
  );
}

/** Writes this process's number at once, so that nobody reads an empty file; false where there is a file. */
async function createLock(file: string): Promise<boolean> {
  const written = `${file}.${randomUUID()}`;
  await writeFile(written, String(process.pid));
  try {
    // Some disks have no hard links.
    await link(written, file).catch((error: unknown) =>
      hasCode(error, 'EEXIST') ? Promise.reject(error) : copyFile(written, file, constants.COPYFILE_EXCL),
    );
    return true;
  } catch (error) {
    return ignoring('EEXIST')(error) ?? false;
  } finally {
    await rm(written);
  }
}

function ignoring(code: string): (error: unknown) => undefined {
  return (error) => {
    if (!hasCode(error, code)) throw error;
  };
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

function isAlive(pid: number): boolean {
  // 0 and below mean groups of processes.
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // A process of somebody else is one, too.
    return hasCode(error, 'EPERM');
  }
}
