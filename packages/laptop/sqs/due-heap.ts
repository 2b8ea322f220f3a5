/** Things with a due time, earliest first. */
export interface DueHeap<T> {
  push(dueMs: number, item: T): void;
  /** When the earliest is due. */
  nextDueMs(): number | undefined;
  pop(): T | undefined;
  readonly size: number;
  /** Keeps only what `isCurrent` says is still of interest. */
  prune(isCurrent: (item: T, dueMs: number) => boolean): void;
}

interface Entry<T> {
  readonly dueMs: number;
  /** Breaks ties: equal times come out in the order they went in. */
  readonly order: number;
  readonly item: T;
}

/** A binary heap. */
export function dueHeap<T>(): DueHeap<T> {
  let entries: Entry<T>[] = [];
  let order = 0;
  const push = (entry: Entry<T>): void => {
    let index = entries.length;
    entries.push(entry);
    while (index > 0) {
      const parentIndex = (index - 1) >> 1;
      const parent = entries[parentIndex];
      if (!parent || !isEarlier(entry, parent)) break;
      entries[index] = parent;
      entries[parentIndex] = entry;
      index = parentIndex;
    }
  };
  const sink = (entry: Entry<T>): void => {
    let index = 0;
    for (;;) {
      const [left, right] = [entries[2 * index + 1], entries[2 * index + 2]];
      const childIndex = right && left && isEarlier(right, left) ? 2 * index + 2 : 2 * index + 1;
      const child = entries[childIndex];
      if (!child || !isEarlier(child, entry)) break;
      entries[index] = child;
      index = childIndex;
    }
    entries[index] = entry;
  };
  return {
    push: (dueMs, item) => push({ dueMs, order: order++, item }),
    nextDueMs: () => entries[0]?.dueMs,
    pop: () => {
      const [first] = entries;
      const last = entries.pop();
      if (last && entries.length > 0) sink(last);
      return first?.item;
    },
    get size() {
      return entries.length;
    },
    prune: (isCurrent) => {
      const kept = entries.filter(({ item, dueMs }) => isCurrent(item, dueMs));
      entries = [];
      for (const entry of kept) push(entry);
    },
  };
}

function isEarlier<T>(a: Entry<T>, b: Entry<T>): boolean {
  return a.dueMs < b.dueMs || (a.dueMs === b.dueMs && a.order < b.order);
}
