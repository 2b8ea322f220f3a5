import type * as z from 'zod';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { readExecutionInput } from '../../run/execution-name.ts';
import { measureEnd } from '../../run/measure-end.ts';
import type { Measurement } from '../../run/measurement.ts';
import { RUN_KINDS } from '../../run/run-kind.ts';
import { foldFailureJson } from '../records/fold-failure.ts';
import type { cleanUpRun } from './clean-up-run.ts';

/**
 * The metrics of an ended run or training. Step Functions only says that a shard could not be scored; the shard itself has noted in
 * the bucket who made the mistake.
 */
export async function measureRunEnd(
  store: Pick<ObjectStore, 'readText'>,
  detail: z.infer<typeof cleanUpRun.input>['detail'],
): Promise<Measurement | undefined> {
  const run = readExecutionInput(detail.input);
  const left =
    detail.error === 'States.ExceedToleratedFailureThreshold' && (await foldFailureJson(run).read(store));
  return measureEnd(RUN_KINDS[run.kind].noun, left ? { ...detail, error: left.error } : detail);
}
