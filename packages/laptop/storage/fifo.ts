/** First in, first out, in constant time: an array that has its used-up front cut off now and then. */
export interface Fifo<T> {
  push(item: T): void;
  shift(): T | undefined;
  clear(): void;
  readonly size: number;
}

const CUT_AFTER = 1024;

/** An empty line of waiting things. */
export function fifo<T>(): Fifo<T> {
  let items: T[] = [];
  let head = 0;
  return {
    push: (item) => void items.push(item),
    shift: () => {
      if (head === items.length) return undefined;
      const item = items[head++];
      if (head > CUT_AFTER && head * 2 > items.length) {
        items = items.slice(head);
        head = 0;
      }
      return item;
    },
    clear: () => {
      items = [];
      head = 0;
    },
    get size() {
      return items.length - head;
    },
  };
}
