import { createHash } from 'node:crypto';
import type { Member } from '../../src/input/input.ts';
import { bucketLayout } from '../../src/run/bucket-layout.ts';
import type { RunParts } from '../../src/run/run-id.ts';
import { compareByteOrder } from '../../src/text/byte-order.ts';
import type { MemoryObjectStore } from './memory-object-store.ts';

/**
 * A source of inputs beside the objects of a drop: each line of its files is an input, named for its file and number. It stands
 * where a step before PlanRun would, and writes the list that the run then reads.
 */
export function listLines(store: MemoryObjectStore, run: RunParts): void {
  const lines: { key: string; size: number; etag: string; lastModified: string; member: Member }[] = [];
  for (const key of store.keys(bucketLayout.dropFolder(run))) {
    const { etag, lastModified } = store.info(key)!;
    let start = 0;
    for (const [at, text] of store.text(key)!.split('\n').entries()) {
      const size = Buffer.byteLength(text);
      if (size > 0)
        lines.push({
          key: `${key}/${at}`,
          size,
          etag: createHash('md5').update(text).digest('hex'),
          lastModified: lastModified!.toISOString(),
          member: { object: key, etag, start, end: start + size },
        });
      start += size + 1;
    }
  }
  lines.sort((a, b) => compareByteOrder(a.key, b.key));
  store.put(bucketLayout.inputs(run), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}
