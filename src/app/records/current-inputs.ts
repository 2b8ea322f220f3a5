import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { compareByteOrder } from '../../text/byte-order.ts';
import { keyBefore } from '../../transform/key-before.ts';
import type { CurrentInput } from '../../transform/reconcile-chunk.ts';

/** Most objects that S3 lists at once. */
const PAGE = 1_000;

/**
 * Lists the inputs of a run that still exist; each page begins at the next key wanted, so that files of other generations in the same
 * prefix cost no requests of their own.
 */
export async function listInputs(
  store: ObjectStore,
  { entries }: { readonly entries: readonly { readonly key: string }[] },
  prefix: string,
): Promise<Map<string, CurrentInput>> {
  const wanted = entries.map(({ key }) => key);
  const inputs = new Map<string, CurrentInput>();
  let next = 0;
  let after: string | undefined;
  while (next < wanted.length) {
    const key = wanted[next] ?? '';
    const seek = keyBefore(key);
    const startAfter = after === undefined || compareByteOrder(after, seek) < 0 ? seek : after;
    // Members are many to an object: a whole page would have objects that other chunks ask for.
    const limit = Math.min(PAGE, 2 * (wanted.length - next));
    const page = await store.listPage(prefix, { startAfter, limit });
    for (const object of page.objects) {
      while (next < wanted.length && compareByteOrder(wanted[next] ?? '', object.key) < 0) next += 1;
      if (next >= wanted.length) return inputs;
      if (wanted[next] === object.key)
        inputs.set(object.key, { etag: object.etag, lastModified: object.lastModified });
    }
    after = page.objects.at(-1)?.key;
    if (after === undefined || page.continuation === undefined) return inputs;
    while (next < wanted.length && compareByteOrder(wanted[next] ?? '', after) <= 0) next += 1;
  }
  return inputs;
}
