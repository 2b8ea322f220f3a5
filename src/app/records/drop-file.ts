import type { ObjectStore } from '../../aws/object-store.ts';
import { dropFileKeys } from '../../drop/drop-key.ts';
import type { DropParts } from '../../run/run-id.ts';

/** A job.json that lists 10,000 classes has half of it. */
export const MAX_JOB_BYTES = 1_000_000;

/**
 * The text of a drop's job.json, from the first of the places where it may lie. One that is longer than `MAX_JOB_BYTES` is
 * not read: reading it, and reporting its problems, would outlast a Lambda.
 */
export async function readJobFile(
  store: ObjectStore,
  drop: DropParts,
): Promise<{ readonly text: string } | { readonly bytes: number } | undefined> {
  const found = await atFirstPlace(drop, 'job.json', (key) => store.describe(key));
  if (found === undefined) return undefined;
  if (found.size > MAX_JOB_BYTES) return { bytes: found.size };
  const text = await store.readText(found.key);
  return text === undefined ? undefined : { text };
}

/** Copies a drop's own file, so that later steps read the same content; false if it does not exist. */
export async function keepDropFile(
  store: ObjectStore,
  drop: DropParts,
  name: string,
  copy: string,
): Promise<boolean> {
  const found = await atFirstPlace(drop, name, (key) => store.describe(key));
  if (found !== undefined) await store.copy({ bucket: store.bucket, key: found.key }, copy);
  return found !== undefined;
}

/** Whether a drop has such a file. */
export async function hasDropFile(store: ObjectStore, drop: DropParts, name: string): Promise<boolean> {
  return (await atFirstPlace(drop, name, (key) => store.describe(key))) !== undefined;
}

async function atFirstPlace<T>(
  drop: DropParts,
  name: string,
  ask: (key: string) => Promise<T | undefined>,
): Promise<T | undefined> {
  for (const key of dropFileKeys(drop, name)) {
    const found = await ask(key);
    if (found !== undefined) return found;
  }
  return undefined;
}
