import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { dropPrefix } from '../../drop/drop-key.ts';
import { toAbandoned } from '../../drop/frozen.ts';
import { Condition } from '../../problem/conditions.ts';
import { isAlive } from '../../run/execution-status.ts';
import { type RunParts, toRunId } from '../../run/run-id.ts';
import { freezeOnce } from '../records/drop.ts';
import { executionArnOf, type ExecutionsOf } from './start-run.ts';

interface CancelServices {
  readonly store: ObjectStore;
  readonly executions: ExecutionsOf<'arnOf' | 'describe' | 'stop'>;
  readonly clock: () => Date;
}

/**
 * Stops a run's execution; clean-up-run then stops its job and sends its message.
 *
 * Files of a run that had not frozen yet stay in the drop: the run of the next upload includes them.
 *
 * @throws `RunUnknown` if there is no such run, `RunEnded` if it is over
 */
export async function cancel(
  { run, by }: { readonly run: RunParts; readonly by: string },
  { store, executions, clock }: CancelServices,
): Promise<void> {
  const executionArn = executionArnOf(executions, run);
  const execution = await executions(run.kind).describe(executionArn);
  if (execution === undefined)
    throw new Condition('RunUnknown', `no run ${toRunId(run)} is known: inferdrop runs lists them`);
  if (!isAlive(execution)) {
    throw new Condition(
      'RunEnded',
      `run ${toRunId(run)} must be running to be canceled, is ${execution.status}`,
    );
  }
  // This must come before the execution stops, or clean-up-run would take it for dead and start its successor.
  const source = { bucket: store.bucket, prefix: dropPrefix(run) };
  await freezeOnce(store, run, toAbandoned('canceled', source, clock()));
  await executions(run.kind).stop(executionArn, { error: 'Canceled', cause: `Canceled by ${by}.` });
}
