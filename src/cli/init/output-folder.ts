import { cp, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Problem } from '../../problem/problem.ts';
import { makeFolder } from '../files/make-folder.ts';
import { Refusal } from '../refusal.ts';
import { isThere } from './is-there.ts';

/**
 * Makes files in a temporary folder, and moves them into the named one if they have no problems, so that a try that fails leaves nothing.
 *
 * @param force whether a pipeline in the named folder is replaced
 * @throws {Refusal} if the folder holds a pipeline that is not to be replaced, or other files
 */
export async function makeInto<T extends { readonly problems: readonly Problem[] }>(
  output: string,
  force: boolean,
  make: (made: string) => Promise<T>,
): Promise<T> {
  await requireRoom(output, force);
  const made = await mkdtemp(path.join(tmpdir(), 'inferdrop-made-'));
  try {
    const result = await make(made);
    if (result.problems.length === 0) await moveInto(output, made);
    return result;
  } finally {
    await rm(made, { recursive: true, force: true });
  }
}

async function requireRoom(output: string, force: boolean): Promise<void> {
  // Git, Finder and a stopped init leave hidden files.
  const found = (await isThere(output))
    ? (await readdir(output)).filter((name) => !name.startsWith('.'))
    : [];
  if (found.length === 0) return;
  if (!found.includes('pipeline.json'))
    throw new Refusal(
      `${output} holds ${found.slice(0, 3).join(', ')}${found.length > 3 ? ', …' : ''} and no pipeline.json: give ` +
        'another folder with --output',
    );
  if (!force)
    throw new Refusal(
      `${path.join(output, 'pipeline.json')} is there already: give another folder with --output, or replace that pipeline with --force`,
    );
}

/** Moves what was made into a folder once the disk of that folder, which may be another one, has all of it. */
async function moveInto(output: string, made: string): Promise<void> {
  await makeFolder(output);
  const near = await mkdtemp(path.join(output, '.init-'));
  try {
    await cp(made, near, { recursive: true });
    for (const name of await readdir(near)) {
      const [from, to] = [path.join(near, name), path.join(output, name)];
      // A folder code/ may hold a person's other files.
      await ((await isThere(to)) ? cp(from, to, { recursive: true }) : rename(from, to));
    }
  } finally {
    await rm(near, { recursive: true, force: true });
  }
}
