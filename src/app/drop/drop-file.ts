import type { ObjectStore } from '../../aws/object-store.ts';
import { dropFileKeys } from '../../drop/drop-key.ts';
import type { RunParts } from '../../drop/run-id.ts';

type Drop = Pick<RunParts, 'pipeline' | 'drop'>;

/** The text of a drop's own file, such as `job.json`, from the first of the places where it may lie. */
export async function readDropFile(
  store: ObjectStore,
  { pipeline, drop }: Drop,
  name: string,
): Promise<string | undefined> {
  for (const key of dropFileKeys(pipeline, drop, name)) {
    const text = await store.readText(key);
    if (text !== undefined) return text;
  }
  return undefined;
}

/** Whether a drop has such a file. */
export async function hasDropFile(
  store: ObjectStore,
  { pipeline, drop }: Drop,
  name: string,
): Promise<boolean> {
  for (const key of dropFileKeys(pipeline, drop, name))
    if ((await store.describe(key)) !== undefined) return true;
  return false;
}
