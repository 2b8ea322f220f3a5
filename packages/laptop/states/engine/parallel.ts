import type { ParallelState } from '../definition/machine.ts';
import type { Json } from '../json.ts';
import { payloadOf } from '../payload.ts';
import { concurrently } from './concurrently.ts';
import type { Engine } from './engine.ts';
import { Scope } from './scope.ts';
import { Thread, type Visit } from './thread.ts';
import { bindingsOf } from './visit.ts';

/** Runs every branch at once on the same input; the first failure ends the others. */
export async function runParallel(engine: Engine, state: ParallelState, visit: Visit): Promise<Json> {
  const { thread } = visit;
  const input =
    state.Arguments === undefined
      ? { value: visit.input, text: visit.inputText }
      : payloadOf(await engine.evaluate(state.Arguments, 'Arguments', bindingsOf(visit)));
  const startedId = thread.log('ParallelStateStarted');
  const results: Json[] = state.branches.map(() => null);
  try {
    await concurrently(state.branches.entries(), Infinity, thread.signal, async ([index, block], signal) => {
      const scope = new Scope(thread.scope);
      const branch = new Thread(thread.execution, { scope, signal, map: thread.map, lastEventId: startedId });
      try {
        results[index] = (await engine.runBlock(block, input, branch)).value;
      } finally {
        thread.lastEventId = branch.lastEventId;
      }
    });
  } catch (error) {
    if (!thread.signal.aborted) thread.log('ParallelStateFailed');
    throw error;
  }
  thread.log('ParallelStateSucceeded');
  return results;
}
