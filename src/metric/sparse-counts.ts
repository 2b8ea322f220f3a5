import { CountPacker, unpackCounts } from './packed-counts.ts';

/** Counts by index; an index that never occurred takes no room. */
export type SparseCounts = Map<number, number>;

/** Adds `times` to the count of an index. */
export function count(counts: SparseCounts, index: number, times = 1): void {
  counts.set(index, (counts.get(index) ?? 0) + times);
}

/** The counts as text, which {@link mergePacked} reads; equal counts give equal texts, in any order of counting. */
export function packSparse(counts: SparseCounts): string {
  const packer = new CountPacker();
  for (const index of Float64Array.from(counts.keys()).sort()) packer.add(index, counts.get(index) ?? 0);
  return packer.finish();
}

/** Adds packed counts, each under the index that `toIndex` returns for it. */
export function mergePacked(
  into: SparseCounts,
  packed: string,
  toIndex: (index: number) => number = (index) => index,
): void {
  unpackCounts(packed, (index, times) => count(into, toIndex(index), times));
}
