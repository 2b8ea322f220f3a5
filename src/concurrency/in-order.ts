/**
 * Starts up to `limit` pieces of work at once and gives the results in the order of the items, so that memory holds
 * at most `limit` of them.
 */
export async function* inOrder<Item, Result>(
  items: Iterable<Item> | AsyncIterable<Item>,
  limit: number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<[Item, Result]> {
  const waiting: Begun<Item, Result>[] = [];
  const take = async (): Promise<[Item, Result] | undefined> => {
    const next = waiting.shift();
    return next && [next.item, await next.result];
  };
  for await (const item of items) {
    waiting.push(begin(item, work));
    if (waiting.length < limit) continue;
    const done = await take();
    if (done !== undefined) yield done;
  }
  for (let done = await take(); done !== undefined; done = await take()) yield done;
}

/** The same for pieces so small that the ten promises a generator makes of each would count: `take` is handed the results. */
export async function takeInOrder<Item, Result>(
  items: Iterable<Item>,
  limit: number,
  work: (item: Item) => Promise<Result>,
  take: (item: Item, result: Result) => void,
): Promise<void> {
  const waiting: Begun<Item, Result>[] = [];
  for (const item of items) {
    waiting.push(begin(item, work));
    if (waiting.length < limit) continue;
    const next = waiting.shift();
    if (next !== undefined) take(next.item, await next.result);
  }
  for (const { item, result } of waiting) take(item, await result);
}

interface Begun<Item, Result> {
  readonly item: Item;
  readonly result: Promise<Result>;
}

function begin<Item, Result>(item: Item, work: (item: Item) => Promise<Result>): Begun<Item, Result> {
  const result = work(item);
  // The failure is met where the result is awaited; until then it must not end the process.
  result.catch(() => undefined);
  return { item, result };
}
