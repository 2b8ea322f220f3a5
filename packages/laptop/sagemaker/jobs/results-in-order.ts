interface ResultsInOrderOptions {
  readonly slots: Slots;
  /** Cap on the items that are begun and not yet handed out, and so on the results that wait in memory behind a slow one. */
  readonly window: number;
}

/**
 * Works on items as slots become free, and hands out the results in the items' order, each as soon as all before it are out. The
 * next item is requested ahead of its slot, so that only one waits in memory. After a failure, or if the consumer stops, no
 * further item is begun; work in progress is awaited.
 */
export async function* resultsInOrder<T, R>(
  items: AsyncIterable<T>,
  { slots, window }: ResultsInOrderOptions,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const results: Promise<R>[] = [];
  const begun = createSignal();
  const handedOut = createSignal();
  let over = false;
  const begin = async (item: T, release: () => void): Promise<R> => {
    try {
      return await work(item);
    } catch (error) {
      over = true;
      throw error;
    } finally {
      release();
    }
  };
  const beginAll = async (): Promise<void> => {
    for await (const item of items) {
      while (results.length >= window && !over) await handedOut.next();
      const release = await slots();
      if (over) {
        release();
        return;
      }
      const result = begin(item, release);
      // Its turn to be heard may come much later.
      result.catch(() => undefined);
      results.push(result);
      begun.fire();
    }
  };
  let isAsking = true;
  const asking = beginAll().finally(() => {
    isAsking = false;
    begun.fire();
  });
  asking.catch(() => undefined);
  try {
    while (isAsking || results.length > 0) {
      const [first] = results;
      if (first === undefined) await begun.next();
      else {
        const result = await first;
        void results.shift();
        handedOut.fire();
        yield result;
      }
    }
    await asking;
  } finally {
    over = true;
    handedOut.fire();
    await Promise.allSettled([asking, ...results]);
  }
}

/** Lets one side wait until the other has done something. */
function createSignal(): { fire(): void; next(): Promise<void> } {
  let waiting = Promise.withResolvers<void>();
  return {
    fire() {
      waiting.resolve();
      waiting = Promise.withResolvers();
    },
    next: () => waiting.promise,
  };
}

/** Waits for its turn, in order, and returns a function that frees the slot. */
export type Slots = () => Promise<() => void>;

/** At most `count` pieces of work at a time. */
export function createSlots(count: number): Slots {
  let free = count;
  const waiting: (() => void)[] = [];
  const release = (): void => {
    const next = waiting.shift();
    if (next) next();
    else free++;
  };
  return async () => {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    return release;
  };
}
