import { linkedController, reasonOf } from './deadline.ts';
import { ExecutionStopped } from './execution.ts';

/**
 * Works through the items, at most `limit` at a time. The first failure aborts the others; all have settled when this settles.
 *
 * @throws what failed first, or the signal's reason
 */
export async function concurrently<Item>(
  items: AsyncIterator<Item> | Iterator<Item>,
  limit: number,
  signal: AbortSignal,
  work: (item: Item, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const { controller, release } = linkedController(signal);
  const failures: unknown[] = [];
  let active = 0;
  const worker = async (): Promise<void> => {
    try {
      while (!controller.signal.aborted) {
        const next = await items.next();
        if (next.done || controller.signal.aborted) return;
        // Workers come one by one, so that ten thousand places cost nothing when three items come.
        if (active < limit) start();
        await work(next.value, controller.signal);
      }
    } catch (error) {
      failures.push(error);
      controller.abort(new NeighborFailed());
    }
  };
  const workers: Promise<void>[] = [];
  const start = (): void => {
    active++;
    workers.push(worker());
  };
  try {
    start();
    // Workers add workers while they are awaited.
    for (let index = 0; index < workers.length; index++) await workers[index];
  } finally {
    release();
  }
  if (signal.aborted) throw reasonOf(signal);
  if (failures.length > 0) throw failures[0];
}

/** Why the others of a group end when one of them failed. */
class NeighborFailed extends Error {
  override readonly name = 'NeighborFailed';
}

/** Whether states under this signal end as `…Aborted` in the history: the execution was stopped, or a neighbor failed. */
export function isAborted({ aborted, reason }: AbortSignal): boolean {
  return aborted && (reason instanceof ExecutionStopped || reason instanceof NeighborFailed);
}
