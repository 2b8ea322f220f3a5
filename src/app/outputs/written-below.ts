import type { ObjectStore } from '../../aws/s3/object-store.ts';
import type { WrittenAnswers } from '../../transform/measured-speed.ts';

/** Number of the outputs below a prefix, and when the first and the last were written; undefined if there are none. */
export async function writtenBelow(
  store: Pick<ObjectStore, 'list'>,
  prefix: string,
): Promise<WrittenAnswers | undefined> {
  let found: WrittenAnswers | undefined;
  for await (const { lastModified: at } of store.list(prefix)) {
    const { count, first, last } = found ?? { count: 0, first: at, last: at };
    found = { count: count + 1, first: at < first ? at : first, last: at > last ? at : last };
  }
  return found;
}
