import type { Plan } from '../../../plan/plan.ts';
import { Condition } from '../../../problem/conditions.ts';
import { toRunId } from '../../../run/run-id.ts';
import type { PrepareForEngine } from '../engine.ts';

/** Errors of a function that ran out of memory or time. */
const DEATHS = ['Runtime.ExitError', 'Runtime.OutOfMemory', 'Sandbox.Timedout'];

function unopened({ engine }: Plan, error: Error): Condition {
  const memoryMB = engine.name === 'lambda' ? engine.memoryMB : 0;
  const reason =
    `the function that predicts died while it opened the model (${error.name}): it has ${memoryMB} MB of memory, which ` +
    'parameter PredictMemory raises';
  return new Condition('ModelNeedsContainer', `${reason}; or set transform.engine to "sagemaker"`, {
    cause: new Error(reason),
  });
}

/**
 * Has the function that predicts open the model of a run.
 *
 * @param invoke invokes the function; an error that it throws has the function's name and message
 */
export function openInFunction(invoke: (payload: unknown) => Promise<unknown>): PrepareForEngine {
  return async (run, plan) => {
    try {
      await invoke({ what: 'model', run: toRunId(run) });
    } catch (error) {
      throw error instanceof Error && DEATHS.includes(error.name) ? unopened(plan, error) : error;
    }
    return 'predict-shard';
  };
}
