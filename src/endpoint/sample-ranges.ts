/** A part of a file, `end` exclusive. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** Byte ranges from which `count` lines from all over a file can be read: evenly spread windows, or the whole file. */
export function sampleRanges(sizeBytes: number, count: number, windowBytes: number): readonly ByteRange[] {
  if (sizeBytes <= count * windowBytes) return [{ start: 0, end: sizeBytes }];
  return Array.from({ length: count }, (_, index) => {
    const start = Math.floor((index * (sizeBytes - windowBytes)) / Math.max(1, count - 1));
    return { start, end: start + windowBytes };
  });
}

/** Whole lines of a window: the first is cut unless the window starts the file, the last unless it finishes the file. */
export function wholeLines(text: string, { start, end }: ByteRange, sizeBytes: number): readonly string[] {
  const lines = text.split('\n');
  if (start > 0) lines.shift();
  if (end < sizeBytes) lines.pop();
  return lines.filter((line) => line !== '');
}

/**
 * All items in another order: every `stride`th from `first` on, then those after them, and so on. Any prefix of it has items from the whole
 * list; another `first` gives a prefix other items, as long as there are any.
 */
export function interleave<T>(items: readonly T[], stride: number, first: number): readonly T[] {
  return Array.from({ length: stride }, (_, turn) =>
    items.filter((_item, index) => index % stride === (first + turn) % stride),
  ).flat();
}
