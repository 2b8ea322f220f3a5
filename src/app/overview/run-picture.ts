import { RequestProblem } from '../../api/problem-details.ts';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { type RunParts, toRunId } from '../../run/run-id.ts';
import { readBaselineShards } from '../report/baseline-shards.ts';
import { readPicture } from '../review/read-picture.ts';

/**
 * The picture of an input of a run, as the model has seen it. Only names of the run's own inputs are looked for.
 *
 * @throws {RequestProblem} `invalid-request` where the run has no such input, or it is no picture any more
 */
export async function runPicture(
  store: ObjectStore,
  run: RunParts,
  name: string,
): Promise<{ readonly bytes: Uint8Array; readonly mediaType: string }> {
  const refuse = (reason: string): RequestProblem =>
    new RequestProblem('invalid-request', `${name} of ${toRunId(run)} ${reason}`);
  for await (const { entries } of readBaselineShards(store, run, { first: name, last: name })) {
    for (const entry of entries) {
      if (entry.name !== name) continue;
      const picture = await readPicture(store, entry);
      if ('missing' in picture) throw refuse(picture.missing);
      return picture;
    }
  }
  throw refuse('is no input of it');
}
