import type { ObjectStore } from '../../aws/s3/object-store.ts';
import type { RunParts } from '../../run/run-id.ts';
import type { JobStoppers } from '../engine/engine.ts';
import { listJobRecords, writeJobRecord } from '../records/jobs.ts';

/** Services that stop transform jobs. */
export interface StopTransformsServices {
  readonly store: ObjectStore;
  readonly clock: () => Date;
  readonly engines: JobStoppers;
}

/** Tells whether an execution is over. */
export type IsOver = () => Promise<boolean>;

/** For runs that are known to be over. */
export const KNOWN_TO_BE_OVER: IsOver = () => Promise.resolve(true);

/** Stops the transform jobs that the ended execution of a run has left running; returns their names. */
export async function stopLeftTransforms(
  run: RunParts,
  { store, engines, clock }: StopTransformsServices,
  isOver = KNOWN_TO_BE_OVER,
): Promise<string[]> {
  const stopped: string[] = [];
  for await (const record of listJobRecords(store, run)) {
    if (record.endedAt !== undefined) continue;
    const engine = engines[record.engine.name];
    if (!(await engine.isRunning(record)) || !(await isOver())) continue;
    await engine.stop(record);
    await writeJobRecord(store, run, { ...record, status: 'Stopping', stopReason: toStopReason(clock()) });
    stopped.push(record.jobName);
  }
  return stopped;
}

/** Why a job of an ended execution is stopped. */
export function toStopReason(at: Date): string {
  return `its execution ended at ${at.toISOString()}`;
}
