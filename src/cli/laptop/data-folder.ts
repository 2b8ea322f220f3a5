import { randomUUID } from 'node:crypto';
import { chmod, constants, copyFile, link, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileProblem } from '../files/file-problem.ts';
import { makeFolder } from '../files/make-folder.ts';
import { Refusal } from '../refusal.ts';

/** Interval between looks at a lock that is waited for. */
const LOOK_EVERY_MS = 100;
/** Bit in the mode of folders such as /tmp, which must stay open to all users. */
const STICKY = 0o1000;

/** Data folders that this process holds, or is about to. */
const taken = new Set<string>();

/**
 * Locks a stack's data folder for this process until the returned function is called: a second stack on it would overwrite the
 * first one's files. The lock of a process that has ended is taken over.
 *
 * @throws {Refusal} while another process holds it, or is taking it over
 */
export async function lockDataFolder(dir: string): Promise<() => Promise<void>> {
  const file = path.join(dir, 'stack.pid');
  if (taken.has(file)) throw inUse(file, process.pid);
  taken.add(file);
  try {
    await makeFolder(dir, 0o700);
    if (((await stat(dir)).mode & STICKY) !== 0)
      throw new Error(`${dir} is a place of all users: name a folder in it with --data`);
    while (!(await createLock(file))) await removeLeftLock(file);
    // A folder that existed may be open to other users of the machine. A place that takes no files keeps its mode.
    await chmod(dir, 0o700);
  } catch (error) {
    taken.delete(file);
    const problem = fileProblem(error, '--data');
    throw problem === undefined ? error : new Error(problem, { cause: error });
  }
  return async () => {
    await rm(file, { force: true });
    taken.delete(file);
  };
}

/** Locks a folder as `lockDataFolder` does, once every other process has given it back. */
export async function lockWhenFree(dir: string): Promise<() => Promise<void>> {
  for (;;) {
    try {
      return await lockDataFolder(dir);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      await wait(LOOK_EVERY_MS);
    }
  }
}

/**
 * Removes a stale lock, one process at a time: if two saw the same stale lock, the second would remove the first one's new lock. The turn
 * to remove it is a lock itself, which a process that is killed in its turn may leave behind.
 */
async function removeLeftLock(file: string): Promise<void> {
  const turn = `${file}.turn`;
  while (!(await createLock(turn))) await removeLeftLock(turn);
  try {
    const text = await readFile(file, 'utf8').catch(ignoring('ENOENT'));
    if (text === undefined) return;
    const pid = Number(text);
    // In containers every stack may have the same process id.
    if (pid !== process.pid && isAlive(pid)) throw inUse(file, pid);
    await rm(file);
  } finally {
    await rm(turn);
  }
}

function inUse(file: string, pid: number): Refusal {
  if (file.endsWith('.turn'))
    return new Refusal(
      `${path.dirname(file)} is being taken over by another stack: try again (if no other is starting, delete ${file})`,
    );
  return new Refusal(
    `${path.dirname(file)} is in use by the stack of process ${pid}: stop that one, or name another folder with ` +
      `--data (if process ${pid} is not a stack, delete ${file})`,
  );
}

/** Writes this process's id atomically, so that no reader sees an empty file; false if the file exists. */
async function createLock(file: string): Promise<boolean> {
  const written = `${file}.${randomUUID()}`;
  await writeFile(written, String(process.pid));
  try {
    // Some file systems have no hard links.
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
  // Ids of 0 and below mean groups of processes.
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // EPERM: the process exists and belongs to another user.
    return hasCode(error, 'EPERM');
  }
}
