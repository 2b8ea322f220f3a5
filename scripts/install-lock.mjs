// One installation at a time in a checkout: npm begins by deleting node_modules, under another installation's hands too.
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

// Like bootstrap.mjs, this file only uses features of Node 14.13.

/** Interval between looks at another process's lock. */
const LOOK_EVERY_MS = 500;

/**
 * Calls `install` while no other process installs in the checkout; waits for one that does. The lock of a process that has
 * ended is taken over.
 *
 * @param root folder of the checkout
 * @param tell called once, before waiting
 */
export function installAlone(root, install, tell = (line) => process.stderr.write(`${line}\n`)) {
  const lock = path.join(root, 'build', 'installing.pid');
  mkdirSync(path.dirname(lock), { recursive: true });
  let hasTold = false;
  while (!take(lock)) {
    const owner = readOwner(lock);
    if (owner !== undefined && !isAlive(owner)) {
      removeLeft(lock, owner);
      continue;
    }
    if (!hasTold) tell(`Waiting for process ${owner}, which installs packages here (${lock})…`);
    hasTold = true;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOOK_EVERY_MS);
  }
  try {
    return install();
  } finally {
    rmSync(lock, { force: true });
  }
}

function take(lock) {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

/** Undefined if the lock is gone, or its process has not written its id yet. */
function readOwner(lock) {
  try {
    const text = readFileSync(lock, 'utf8');
    return text === '' ? undefined : Number(text);
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Removes a lock that a process has left, unless another has taken it over meanwhile: then that one's lock is put back. */
function removeLeft(lock, owner) {
  const aside = `${lock}.${process.pid}`;
  try {
    renameSync(lock, aside);
  } catch (error) {
    if (error.code === 'ENOENT') return;
    throw error;
  }
  if (readOwner(aside) !== owner && !existsSync(lock)) renameSync(aside, lock);
  else rmSync(aside, { force: true });
}

function isAlive(pid) {
  // Ids of 0 and below mean groups of processes.
  if (!(pid > 0)) return false;
  // In containers a process that has ended may have had the same id.
  if (pid === process.pid) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // EPERM: the process exists and belongs to another user.
    return error.code === 'EPERM';
  }
}
