import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { inOrder } from '../../concurrency/in-order.ts';
import { keyOfName } from '../../input/record-name.ts';
import type { LabelRow } from '../../label/label-row.ts';
import { rangeOf, readSortedRows } from '../../label/sorted-labels.ts';
import { type FieldsLookup, TruthTable } from '../../label/truth-in-file.ts';
import { truthByFolder, truthByPattern, type TruthInKey } from '../../label/truth-in-key.ts';
import { outputShape } from '../../plan/output-shape.ts';
import type { ScoringPlan } from '../../plan/scoring-plan.ts';
import { Condition } from '../../problem/conditions.ts';
import { opensFiles } from '../../transform/one-record.ts';
import { labelIndexJson } from '../records/labels.ts';
import type { ShardEntry } from '../records/reconciled.ts';

const CONCURRENT_READS = 4;

/** Finds the label of a record, and the further columns that its row has. */
export interface OpenedTruth {
  readonly lookUp: (entry: ShardEntry, recordIndex: number) => string | undefined;
  readonly fieldsOf: FieldsLookup;
  /** Places of the labeled records of an input that may hold many; undefined if they're known only from its answers. */
  readonly placesOf: (entry: ShardEntry) => Iterable<number> | undefined;
}

const UNKNOWN = { fieldsOf: () => undefined, placesOf: () => undefined };

/**
 * Where the labels of some inputs come from, by the plan. PlanRun has copied a label file, so that all shards of a run have the
 * same labels, and sorted it, so that each reads no more than its part.
 *
 * @throws {RunFileMissing} if the sorted labels are not there
 */
export async function openTruth(
  store: ObjectStore,
  plan: ScoringPlan,
  entries: Iterable<ShardEntry>,
): Promise<OpenedTruth> {
  const { truth } = plan.labels;
  switch (truth?.from) {
    case undefined:
      return { lookUp: () => undefined, ...UNKNOWN };
    case 'member':
    case 'column':
    case 'record':
      return { lookUp: ({ label }) => label, ...UNKNOWN };
    case 'key':
      return { lookUp: inKey(plan, truthByPattern(truth.pattern)), ...UNKNOWN };
    case 'folder':
      return { lookUp: inKey(plan, truthByFolder(plan.input.prefix)), ...UNKNOWN };
    case 'file': {
      const keys = Array.from(entries, (entry) => entry.name);
      const table = new TruthTable(keys, outputShape(plan).oneRecord);
      const { index } = plan.labels;
      const [first] = keys;
      const last = keys.at(-1);
      // Null if the file had not arrived when the run was planned.
      if (index !== null && first !== undefined && last !== undefined)
        for await (const rows of readLabels(store, index, { first, last }))
          for (const row of rows) table.add(row);
      return {
        lookUp: ({ name }, index) => table.lookUp(name, index),
        fieldsOf: table.fieldsOf,
        placesOf: ({ name }) => table.placesOf(name),
      };
    }
  }
}

function inKey({ transform }: ScoringPlan, find: TruthInKey): OpenedTruth['lookUp'] {
  const keyOf = keyOfName(opensFiles(transform));
  return ({ name }) => find(keyOf(name));
}

/**
 * The rows of a run's label file for a stretch of keys, and a few around it, in the order of the file for each key.
 *
 * @throws {RunFileMissing}
 */
async function* readLabels(
  store: ObjectStore,
  index: string,
  keys: { readonly first: string; readonly last: string },
): AsyncGenerator<Iterable<LabelRow>> {
  const { parts } = await labelIndexJson(index).require(store);
  const texts = inOrder(parts, CONCURRENT_READS, async (part) => {
    const range = rangeOf(part, keys);
    return range === undefined ? undefined : store.readBytes(part.object, range);
  });
  for await (const [part, bytes] of texts) {
    if (bytes !== undefined) yield readSortedRows(Buffer.from(bytes).toString());
    else if (rangeOf(part, keys) !== undefined)
      throw new Condition('RunFileMissing', `${part.object} is not there`);
  }
}
