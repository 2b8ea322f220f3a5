import type { ObjectStore } from '../../aws/object-store.ts';
import { dropFileKeys } from '../../drop/drop-key.ts';
import type { RunParts } from '../../drop/run-id.ts';
import { labelRows } from '../../label/label-rows.ts';
import type { TruthLookup } from '../../label/truth-in-file.ts';
import { lookUpTruth } from '../../label/truth-in-file.ts';
import { truthByFolder, truthByPattern } from '../../label/truth-in-key.ts';
import { openDropFile } from '../drop/drop-file.ts';
import { RunFileMissing } from '../run/run-file.ts';
import { outputShape } from './output-shape.ts';
import type { ScoringPlan } from './run-plan.ts';
import type { ShardEntry } from './shard-entries.ts';

/**
 * Where the labels of some inputs come from, by the plan. A label file is read once, for these inputs: the copy that PlanRun
 * kept, so that all shards of a run have the same labels.
 *
 * @throws {RunFileMissing} where the label file is not there
 */
export async function openTruth(
  store: ObjectStore,
  run: RunParts,
  { labels, input, transform }: ScoringPlan,
  entries: Iterable<ShardEntry>,
): Promise<TruthLookup> {
  const { truth } = labels;
  switch (truth?.from) {
    case undefined:
    case 'record': // It lies beside each prediction.
      return () => undefined;
    case 'key':
      return truthByPattern(truth.pattern);
    case 'folder':
      return truthByFolder(input.prefix);
    case 'file': {
      // Plans of the release before kept no copy: the drop's own file may have changed since.
      const stream =
        labels.file === null
          ? await openDropFile(store, run, truth.path)
          : await store.readStream(labels.file);
      if (stream === undefined) {
        const place = labels.file ?? dropFileKeys(run.pipeline, run.drop, truth.path).join(' or ');
        throw new RunFileMissing(
          `${place} is not there, and labels.truth reads the labels from it: run it again with inferdrop rerun`,
        );
      }
      const keys = Iterator.from(entries).map((entry) => entry.key);
      const { oneRecord } = outputShape({ labels, transform });
      return lookUpTruth(labelRows(truth.path, stream), keys, { ...input, oneRecord });
    }
  }
}
