import type { RunList } from '../../api/api-schemas.ts';
import { RequestProblem } from '../../api/problem-details.ts';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { isPipelineName } from '../../run/run-id.ts';
import { newestRuns } from '../records/run-index.ts';
import { readLimit } from './limit.ts';

/**
 * Route `GET /runs`: runs of a pipeline that have ended, newest first.
 *
 * @param requireOpen throws if the caller may not use the pipeline
 * @throws {RequestProblem} `invalid-request`
 */
export async function listRuns(
  store: ObjectStore,
  { pipeline, limit }: Readonly<Record<string, string>>,
  requireOpen: (pipeline: string) => void,
): Promise<RunList> {
  if (pipeline === undefined || !isPipelineName(pipeline))
    throw new RequestProblem(
      'invalid-request',
      'pipeline must name a pipeline, as in /runs?pipeline=cifar10',
    );
  requireOpen(pipeline);
  const most = readLimit(limit);
  const runs = await Array.fromAsync(newestRuns(store, 'inference', pipeline, most));
  return { runs: runs.map(({ schema: _, ...line }) => line) };
}
