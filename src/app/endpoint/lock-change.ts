import type { RollbackAlarms } from '../../aws/account/rollback-alarms.ts';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import type { ComponentScaling } from '../../aws/sagemaker/component-scaling.ts';
import type { InferenceComponents } from '../../aws/sagemaker/components.ts';
import type { Endpoints } from '../../aws/sagemaker/endpoints.ts';
import type { Scaling } from '../../aws/sagemaker/scaling.ts';
import type { Executions } from '../../aws/states/executions.ts';
import { type EndpointChange, isServingTouched, type NewChange } from '../../endpoint/change.ts';
import { Condition } from '../../problem/conditions.ts';
import { changeJson, claimChange, isRunning, releaseChange } from '../records/endpoint.ts';
import type { EndpointScope } from './endpoint-scope.ts';
import { repairChange } from './repair-change.ts';

interface LockServices {
  readonly store: ObjectStore;
  /** Executions of the state machine `endpoint`. */
  readonly executions: Pick<Executions, 'describe' | 'start'>;
  readonly clock: () => Date;
}

/** Services of the steps that change an endpoint. */
export interface ChangeServices extends LockServices {
  readonly endpoints: Endpoints;
  readonly scaling: Scaling;
  readonly components: InferenceComponents;
  readonly componentScaling: ComponentScaling;
  readonly alarms: RollbackAlarms;
  readonly scope: EndpointScope;
}

/** The longest time-out of the functions that lock a change; half a minute is added for clocks that differ. */
export const MAX_STEP_SECONDS = 120;
const SPARE_MS = 30_000;

/**
 * Lets one step work on the execution's own change. A function continues when its execution is stopped, so the change is not
 * taken over while the step runs; and if its execution is over at the end of the step, it undoes its own late effects.
 *
 * @returns undefined while the change is another's
 * @throws {ExecutionOver} if the execution had ended before the step: nothing was done
 */
export async function withLockedChange<T>(
  { store, executions, clock }: LockServices,
  pipeline: string,
  change: NewChange,
  work: (claimed: EndpointChange) => Promise<T>,
): Promise<T | undefined> {
  const { executionArn } = change;
  const busyUntil = untilAfter(clock(), MAX_STEP_SECONDS);
  const claimed = await claimChange(
    store,
    executions,
    pipeline,
    { ...change, inherited: false, busyUntil },
    clock(),
  );
  if (claimed === undefined) return undefined;
  const unlock = async (): Promise<void> => {
    const current = await changeJson(pipeline).read(store);
    if (current?.executionArn !== executionArn) return;
    if (!(await isRunning(executions, executionArn))) {
      const reason = `the execution that was to ${current.action} it was stopped while it was at work`;
      // The same key as the event for the execution's end has, so that it's repaired once.
      await repairChange(executions, pipeline, current, { reason, key: executionArn });
    }
    await changeJson(pipeline).write(store, { ...current, busyUntil: null });
  };
  if (!(await isRunning(executions, executionArn))) {
    if (hasNothing(claimed)) await releaseChange(store, pipeline, executionArn);
    else await unlock();
    throw new Condition('ExecutionOver', `${executionArn} is over, so it changes nothing any more`);
  }
  try {
    return await work(claimed);
  } finally {
    await unlock();
  }
}

/** Time by which a step that begins now has ended. */
export function untilAfter(now: Date, longestSeconds: number): string {
  return new Date(now.getTime() + longestSeconds * 1000 + SPARE_MS).toISOString();
}

/** True if neither this execution nor the one that it took the change over from has called SageMaker. */
export function hasNothing(change: EndpointChange): boolean {
  // The record that is written before a candidate is created also names the configuration that serves.
  return !isServingTouched(change) && change.previousConfigName === null;
}
