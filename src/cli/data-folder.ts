import { createHash, randomUUID } from 'node:crypto';
import { constants, copyFile, link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { UsageError } from './usage-error.ts';

/** Who has a folder: a process, and which of its locks. */
interface Lock {
  readonly file: string;
  readonly pid: number;
  readonly id: string;
}

/** Locks of this process: in a container every stack may have the same number. */
const held = new Set<string>();

/**
 * Takes a stack's data folder for this process, until the function that it gives is called: a second stack on it would not
 * see what the first one writes, and write over it. What a process left that is gone is taken over, by one of those who try.
 *
 * @throws {UsageError} while another process has it
 */
export async function takeDataFolder(dir: string): Promise<() => Promise<void>> {
  const file = path.join(dir, 'stack.pid');
  const id = randomUUID();
  const mine = `${file}.${id}`;
  await mkdir(dir, { recursive: true });
  await writeFile(mine, `${process.pid} ${id}`);
  held.add(id);
  try {
    while (!(await tryToTake(file, mine, id)));
  } catch (error) {
    held.delete(id);
    throw error;
  } finally {
    await rm(mine, { force: true });
  }
  return async () => {
    held.delete(id);
    await rm(file, { force: true });
  };
}

/** False where somebody else was faster: look again. */
async function tryToTake(file: string, mine: string, id: string): Promise<boolean> {
  const locks = await readLocks(file);
  const last = locks.at(-1);
  if (last === undefined) return createFrom(mine, file);
  if (isHeld(last))
    throw new UsageError(
      `${path.dirname(file)} is in use by the stack of process ${last.pid}: stop that one, or name another folder with --data (if process ${last.pid} is no stack, delete ${file})`,
    );
  const heir = heirOf(file, last);
  if (!(await createFrom(mine, heir))) return false;
  // Another heir may have come, taken the first place and tidied up since the locks were read.
  const isLast = (await readLocks(file)).at(-1)?.id === id;
  if (isLast) await rename(mine, file);
  const obsolete = isLast ? [...locks.slice(1).map((lock) => lock.file), heir] : [heir];
  for (const one of obsolete) await rm(one, { force: true });
  return isLast;
}

/** The lock, its heir, that one's heir: the last counts. Each has one heir at most, since that file is created but once. */
async function readLocks(file: string): Promise<readonly Lock[]> {
  const locks: Lock[] = [];
  for (let next = file; ;) {
    const text = await readIfThere(next);
    if (text === undefined) return locks;
    const [pid, id = createHash('sha256').update(text).digest('hex')] = text.split(' ');
    const lock = { file: next, pid: Number(pid), id };
    locks.push(lock);
    next = heirOf(file, lock);
  }
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

function heirOf(file: string, { id }: Lock): string {
  return `${file}.after-${id}`;
}

/** A file with the content of another, at once; false where there is one. */
async function createFrom(source: string, file: string): Promise<boolean> {
  try {
    // Some disks have no hard links.
    await link(source, file).catch((error: unknown) =>
      hasCode(error, 'EEXIST') ? Promise.reject(error) : copyFile(source, file, constants.COPYFILE_EXCL),
    );
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

function isHeld({ pid, id }: Lock): boolean {
  // 0 and below mean groups of processes.
  if (!Number.isInteger(pid) || pid <= 0) return false;
  if (pid === process.pid) return held.has(id);
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // A process of somebody else is one, too.
    return hasCode(error, 'EPERM');
  }
}
