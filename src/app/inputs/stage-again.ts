import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { inOrder } from '../../concurrency/in-order.ts';
import type { RunParts } from '../../run/run-id.ts';
import {
  type Indexed,
  type IndexItem,
  readIndexed,
  readIndexItems,
  readMembers,
  writeIndexItems,
} from '../records/tars.ts';
import { copyingUsd, readIndexedOfAll } from './list-inputs.ts';
import { unpackedKey } from './staged-copy.ts';

const READS_AT_ONCE = 16;

/**
 * Has state `IndexTars` rewrite another run's copies of its inputs, at the same keys: they stay only for some days, and a run of
 * the same inputs may come late, or last long. The list of inputs stays as it is; a tar that has changed since gets no copies.
 *
 * @param isSent whether jobs of the run read them; otherwise, only incomplete copies of compressed tars are rewritten, since their
 * members can't be read in any other way
 */
export async function stageAgain(
  store: ObjectStore,
  { run, of, isSent }: { readonly run: RunParts; readonly of: RunParts; readonly isSent: boolean },
): Promise<{ readonly usd: number } | { readonly unread: number }> {
  const items: IndexItem[] = [];
  const looked = inOrder(await readIndexItems(store, of), READS_AT_ONCE, async (item) => {
    const indexed = await readIndexed(store, item);
    const again = { ...item, run, settings: { ...item.settings, unpacks: isSent && item.settings.unpacks } };
    if (indexed === undefined || indexed.unpacked === 0) return undefined;
    const isAsked = isSent || (await readIndexed(store, again)) !== undefined;
    return isAsked || (await hasLost(store, item, indexed)) ? again : undefined;
  });
  for await (const [, again] of looked) if (again !== undefined) items.push(again);
  if (items.length === 0) return { usd: 0 };
  const found = await readIndexedOfAll(store, items);
  if (found !== undefined) return { usd: copyingUsd(found) };
  await writeIndexItems(store, run, items);
  return { unread: Math.max(1, items.filter(({ share }) => share.what !== 'objects').length) };
}

/**
 * Whether fewer copies of a compressed tar's members are there than were written: S3 does not remove those that have expired
 * all at once.
 */
async function hasLost(store: ObjectStore, item: IndexItem, indexed: Indexed): Promise<boolean> {
  if (item.share.what === 'objects') return false;
  for await (const { member } of readMembers(store, item, indexed)) {
    if (member === undefined) continue;
    if (member.unpacked === undefined) return false;
    break;
  }
  let left = 0;
  for await (const _copy of store.list(`${unpackedKey(item, item.share.object.key)}/`)) left += 1;
  return left < indexed.unpacked;
}
