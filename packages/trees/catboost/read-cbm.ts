import { readJson } from '../json-document.ts';
import type { Leaf, Split, Tree, TreeEnsemble } from '../tree-ensemble.ts';
import { Unconvertible } from '../trees-refused.ts';
import {
  catboostEnsemble,
  type LevelSplit,
  type NodeMakers,
  parseFacts,
  SAVE_AGAIN,
  symmetricTree,
} from './catboost-model.ts';
import { FlatTable } from './flat-table.ts';

/** `CBM1`, and the size of the rest. */
const HEADER_BYTES = 8;
const FORMAT = 'FlabuffersModel_v1';
const MISSING = ['AsIs', 'AsFalse', 'AsTrue'];

/**
 * Reads a `.cbm` file. Its fields are counted as in catboost/libs/model/flatbuffers/{model,features}.fbs of CatBoost's sources.
 *
 * @throws {Unconvertible}
 */
export function readCbm(bytes: Uint8Array): TreeEnsemble {
  const core = FlatTable.rootOf(bytes.subarray(HEADER_BYTES));
  const trees = core.table(1);
  if (trees === undefined || core.text(0) !== FORMAT)
    throw new Unconvertible(
      `has the format "${core.text(0)}", not ${FORMAT}: load it in CatBoost 1.2 and ${SAVE_AGAIN}`,
    );
  const info = new Map(core.tables(2).map((entry) => [entry.text(0), entry.text(1)]));
  const floats = trees.tables(5);
  const named = (column: FlatTable): object => ({
    feature_id: column.text(2),
    flat_feature_index: column.int(1, -1),
  });
  const biases = trees.doubles(16);
  const facts = parseFacts({
    features_info: {
      float_features: floats.map((column) => ({
        feature_id: column.text(4),
        feature_index: column.int(1, -1),
        flat_feature_index: column.int(2, -1),
        nan_value_treatment: MISSING[column.byte(5)],
      })),
      categorical_features: trees.tables(4).map(named),
      text_features: trees.tables(12),
      embedding_features: trees.tables(18),
    },
    model_info: {
      catboost_version_info: info.get('catboost_version_info'),
      class_params: jsonOf(info.get('class_params')),
      params: jsonOf(info.get('params')),
    },
    scale_and_bias: [trees.double(14, 1), biases.length > 0 ? biases : trees.double(15, 0)],
  });
  const splits = floats.flatMap((column) =>
    column.floats(3).map((border) => ({ column: column.int(1, -1), border })),
  );
  return catboostEnsemble(facts, (makers) => treesOf(trees, splits, makers));
}

function jsonOf(text: string | undefined): unknown {
  return text === undefined ? undefined : readJson(text);
}

function treesOf(model: FlatTable, splits: readonly LevelSplit[], makers: NodeMakers): readonly Tree[] {
  const sizes = model.ints(2);
  const places = model.ints(1);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  if (total !== places.length || sizes.some((size) => size < 0))
    throw new Unconvertible(
      `is damaged: its trees count ${total} splits and it has ${places.length}: ${SAVE_AGAIN}`,
    );
  const values = model.doubles(8);
  const steps = model.pairs(10);
  const starts = model.ints(11);
  const split = (at: number): LevelSplit => {
    const found = splits[places[at] ?? -1];
    if (found === undefined)
      throw new Unconvertible(`is damaged: it lacks split ${places[at] ?? -1}: ${SAVE_AGAIN}`);
    return found;
  };
  let node = 0;
  let value = 0;
  return sizes.map((size) => {
    const first = node;
    node += size;
    if (steps.length > 0)
      return stepTree(
        { first, size, steps, split },
        (at) => values.slice(starts[at], (starts[at] ?? 0) + makers.outputs),
        makers,
      );
    const count = 2 ** size * makers.outputs;
    const own = values.slice(value, value + count);
    value += count;
    return symmetricTree(
      Array.from({ length: size }, (_, at) => split(first + at)),
      own,
      makers,
    );
  });
}

interface Steps {
  readonly first: number;
  readonly size: number;
  /** How far behind a node its children are; 0 if it is itself the leaf on that side. */
  readonly steps: readonly (readonly [left: number, right: number])[];
  readonly split: (at: number) => LevelSplit;
}

function stepTree(
  { first, size, steps, split }: Steps,
  valuesOf: (at: number) => readonly number[],
  makers: NodeMakers,
): Tree {
  const added: Leaf[] = [];
  const nodes = Array.from({ length: size }, (_, at): Split | Leaf => {
    const [left, right] = steps[first + at] ?? [0, 0];
    if (left === 0 && right === 0) return makers.leaf(valuesOf(first + at));
    const childAt = (step: number): number =>
      step === 0 ? size - 1 + added.push(makers.leaf(valuesOf(first + at))) : at + step;
    const { column, border } = split(first + at);
    return makers.split(column, border, { left: childAt(left), right: childAt(right) });
  });
  return [...nodes, ...added];
}
