import type { ObjectStore } from '../../aws/object-store.ts';
import { dropFileKeys } from '../../drop/drop-key.ts';
import { labelRows } from '../../label/label-rows.ts';
import { keyOfRow, type TruthLookup, TruthTable } from '../../label/truth-in-file.ts';
import { truthByFolder, truthByPattern } from '../../label/truth-in-key.ts';
import { outputShape } from '../../plan/output-shape.ts';
import type { ScoringPlan } from '../../plan/scoring-plan.ts';
import { Condition } from '../../problem/conditions.ts';
import type { RunParts } from '../../run/run-id.ts';
import { openDropFile } from '../records/drop-file.ts';
import type { ShardEntry } from '../records/reconciled.ts';
import { readLabels } from './read-labels.ts';

/**
 * Where the labels of some inputs come from, by the plan. Of a label file PlanRun has kept a copy, so that all shards of a run
 * have the same labels, and sorted it, so that each reads no more than its part.
 *
 * @throws {RunFileMissing} where the label file is not there
 */
export async function openTruth(
  store: ObjectStore,
  run: RunParts,
  plan: ScoringPlan,
  entries: Iterable<ShardEntry>,
): Promise<TruthLookup> {
  const { truth } = plan.labels;
  switch (truth?.from) {
    case undefined:
    case 'record': // It lies beside each prediction.
      return () => undefined;
    case 'key':
      return truthByPattern(truth.pattern);
    case 'folder':
      return truthByFolder(plan.input.prefix);
    case 'file': {
      const keys = Array.from(entries, (entry) => entry.key);
      const table = new TruthTable(keys, outputShape(plan).oneRecord);
      const { index } = plan.labels;
      const [first] = keys;
      const last = keys.at(-1);
      if (index === null) await readWhole(store, run, { ...plan, path: truth.path }, table);
      else if (first !== undefined && last !== undefined)
        for await (const rows of readLabels(store, index, { first, last }))
          for (const row of rows) table.add(row);
      return table.lookUp;
    }
  }
}

/** Plans of earlier releases have an unsorted copy, or none: then the drop's own file may have changed since. */
async function readWhole(
  store: ObjectStore,
  run: RunParts,
  { labels, input, path }: Pick<ScoringPlan, 'labels' | 'input'> & { readonly path: string },
  table: TruthTable,
): Promise<void> {
  const stream =
    labels.file === null ? await openDropFile(store, run, path) : await store.readStream(labels.file);
  if (stream === undefined) {
    const place = labels.file ?? dropFileKeys(run, path).join(' or ');
    throw new Condition(
      'RunFileMissing',
      `${place} is not there, and labels.truth reads the labels from it: run it again with inferdrop rerun`,
    );
  }
  for await (const rows of labelRows(path, stream))
    for (const row of rows) table.add({ ...row, key: keyOfRow(row.key, input) });
}
