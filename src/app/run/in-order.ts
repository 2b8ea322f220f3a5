/**
 * Starts up to `limit` pieces of work at once and gives the results in the order of the items, so that memory holds
 * at most `limit` of them.
 */
export async function* inOrder<Item, Result>(
  items: Iterable<Item> | AsyncIterable<Item>,
  limit: number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<[Item, Result]> {
  const waiting: { item: Item; result: Promise<Result> }[] = [];
  const take = async (): Promise<[Item, Result] | undefined> => {
    const next = waiting.shift();
    return next && [next.item, await next.result];
  };
  for await (const item of items) {
    const result = work(item);
    // The failure is met where the result is awaited; until then it must not end the process.
    result.catch(() => undefined);
    waiting.push({ item, result });
    if (waiting.length < limit) continue;
    const done = await take();
    if (done !== undefined) yield done;
  }
  for (let done = await take(); done !== undefined; done = await take()) yield done;
}
