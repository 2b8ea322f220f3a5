import type { ObjectStore } from '../../../aws/s3/object-store.ts';
import { inOrder } from '../../../concurrency/in-order.ts';
import { HEAD_BYTES } from '../../../file-kind/file-kind.ts';
import { unpackedHead } from '../../../file-kind/unpacked-head.ts';
import type { SentAs } from '../../../input/file-refusal.ts';
import { LookedAt, LooksAt } from '../../../input/looked-at.ts';
import { bucketLayout } from '../../../run/bucket-layout.ts';
import type { RunParts } from '../../../run/run-id.ts';
import { readManifest } from '../../records/manifest.ts';

const READS_AT_ONCE = 32;

/**
 * Looks at the first bytes of up to 1,000 files of a drop, which costs $0.0004, and counts all. Those that are gone or
 * changed are found after the job.
 */
export async function lookAtFiles(
  store: ObjectStore,
  run: RunParts,
  bucket: string,
  transform: SentAs,
): Promise<{
  readonly refused: ReadonlyMap<string, string>;
  readonly refusal: string | undefined;
  readonly notes: readonly string[];
}> {
  const looks = new LooksAt<{ readonly key: string; readonly size: number; readonly etag: string }>(
    ({ key }) => key,
  );
  for await (const entry of readManifest(store, bucketLayout.manifest(run)))
    if (entry.size > 0) looks.add(entry);
  const looked = new LookedAt(transform);
  const source = store.in(bucket);
  const heads = inOrder(looks.files(), READS_AT_ONCE, async ({ key, size, etag }) =>
    source.readBytes(key, { start: 0, end: Math.min(size, HEAD_BYTES), etag }),
  );
  for await (const [{ key: name, size: sizeBytes }, head] of heads)
    if (head !== undefined) looked.add({ name, head, sizeBytes, unpacked: await unpackedHead(head) });
  return { refused: looked.refused, refusal: looked.problem, notes: looked.notes(looks.count) };
}
