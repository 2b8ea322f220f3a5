import type { Slots } from './slots.ts';

/**
 * Works on items as slots come free, and gives the results in the items' order. The next item is asked for ahead of its slot,
 * so that only one waits in memory. After a failure no further item is begun; what is under way is waited for.
 */
export async function inOrder<T, R>(
  items: AsyncIterable<T>,
  slots: Slots,
  work: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: Promise<R>[] = [];
  let failed = false;
  const begin = async (item: T, release: () => void): Promise<R> => {
    try {
      return await work(item);
    } catch (error) {
      failed = true;
      throw error;
    } finally {
      release();
    }
  };
  try {
    for await (const item of items) {
      const release = await slots();
      if (failed) {
        release();
        break;
      }
      const result = begin(item, release);
      // Nobody listens before all items were begun.
      result.catch(() => undefined);
      results.push(result);
    }
  } finally {
    await Promise.allSettled(results);
  }
  return Promise.all(results);
}
