/** Counts work in progress, for callers who wait until it has ended. */
export interface UnderWay {
  readonly count: number;
  run<T>(work: () => Promise<T>): Promise<T>;
  none(): Promise<void>;
}

/** Starts at none. */
export function createUnderWay(): UnderWay {
  let count = 0;
  let waiting: (() => void)[] = [];
  return {
    get count() {
      return count;
    },
    async run(work) {
      count++;
      try {
        return await work();
      } finally {
        count--;
        if (count === 0) {
          for (const resolve of waiting) resolve();
          waiting = [];
        }
      }
    },
    none: () => (count === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
  };
}
