import type { ObjectStore } from '../../aws/s3/object-store.ts';
import type { RunParts } from '../../run/run-id.ts';
import { type IndexItem, readIndexed, readIndexItems, writeIndexItems } from '../records/tars.ts';
import { copyingUsd, readIndexedOfAll } from './list-inputs.ts';

/**
 * Has state `IndexTars` write again the copies that another run has of its inputs, at the same keys: they stay for some days alone, and a run
 * of the same inputs may come late, or last long. What the list of inputs says stays as it is; a tar that is another by now leaves none.
 *
 * @param isSent whether jobs of the run read them; else they are written where none is left, and only members of compressed tars, which are
 *   read in no other way
 */
export async function stageAgain(
  store: ObjectStore,
  { run, of, isSent }: { readonly run: RunParts; readonly of: RunParts; readonly isSent: boolean },
): Promise<{ readonly usd: number } | { readonly unread: number }> {
  const items: IndexItem[] = [];
  for (const item of await readIndexItems(store, of)) {
    // A run of the release before has its copies in its own folder.
    if (item.copies === null || ((await readIndexed(store, item))?.unpacked ?? 0) === 0) continue;
    const settings = { ...item.settings, unpacks: isSent && item.settings.unpacks };
    if (isSent || item.share.what === 'tar') items.push({ ...item, run, settings });
  }
  const copies = items[0]?.copies ?? undefined;
  if (copies === undefined) return { usd: 0 };
  const found = await readIndexedOfAll(store, items);
  if (found !== undefined) return { usd: copyingUsd(found) };
  if (!isSent && (await store.listPage(copies, { limit: 1 })).objects.length > 0) return { usd: 0 };
  await writeIndexItems(store, run, items);
  return { unread: Math.max(1, items.filter(({ share }) => share.what === 'tar').length) };
}
