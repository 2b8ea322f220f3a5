/**
 * The items of batches, one by one. A generator makes some ten promises for each item that it yields, and this makes one; a reader
 * that stops early also closes the batches. Only one reader may call `next`, and only after its last call has been answered.
 */
export function eachOf<Item>(
  batches: AsyncGenerator<readonly Item[]>,
): AsyncIterableIterator<Item, undefined> {
  let items: Iterator<Item> = [].values();
  const each: AsyncIterableIterator<Item, undefined> = {
    [Symbol.asyncIterator]: () => each,
    async next() {
      for (;;) {
        const item = items.next();
        if (item.done !== true) return item;
        const batch = await batches.next();
        if (batch.done === true) return { done: true, value: undefined };
        items = batch.value.values();
      }
    },
    async return() {
      items = [].values();
      await batches.return(undefined);
      return { done: true, value: undefined };
    },
  };
  return each;
}
