import * as z from 'zod';
import { openJournal } from './journal.ts';

/** Things that wait until they are done, on disk in the meantime: the end of the process loses none of them. */
export interface PendingEntries<T> {
  add(entry: T): void;
  done(id: string): void;
  /** In the order in which they were added. */
  values(): IterableIterator<T>;
  /** Resolves when all that was added is on disk. */
  written(): Promise<void>;
  close(): void;
}

const Done = z.object({ done: z.string() });
const COMPACT_LINES = 5000;

/** Opens the entries kept in `file`. */
export function openPendingEntries<T extends { readonly id: string }>(
  file: string,
  schema: z.ZodType<T>,
): PendingEntries<T> {
  const pending = new Map<string, T>();
  const journal = openJournal(file, (record) => {
    const done = Done.safeParse(record);
    if (done.success) return void pending.delete(done.data.done);
    const entry = schema.parse(record);
    pending.set(entry.id, entry);
  });
  return {
    add: (entry) => {
      pending.set(entry.id, entry);
      journal.append(entry);
    },
    done: (id) => {
      pending.delete(id);
      journal.append({ done: id });
      if (journal.lines > COMPACT_LINES && journal.lines > 4 * pending.size)
        journal.compact(pending.values());
    },
    values: () => pending.values(),
    written: () => journal.written(),
    close: () => journal.close(),
  };
}
