import { constants } from 'node:buffer';
import { readCatboostJson } from './catboost/read-catboost-json.ts';
import { readCbm } from './catboost/read-cbm.ts';
import { outermostName, readJson } from './json-document.ts';
import { readLightgbm } from './lightgbm/read-lightgbm.ts';
import { ensembleToOnnx } from './onnx/ensemble-to-onnx.ts';
import type { TreeEnsemble, TreeTask } from './tree-ensemble.ts';
import { TreesRefused, Unconvertible } from './trees-refused.ts';
import { readUbjson } from './xgboost/read-ubjson.ts';
import { readXgboost } from './xgboost/read-xgboost.ts';

export { TreesRefused } from './trees-refused.ts';

/** Libraries of trees. */
export type TreeModelKind = 'xgboost' | 'lightgbm' | 'catboost';

/** A tree model as ONNX. */
export interface ConvertedTrees {
  /**
   * `model.onnx`, opset 17 with ai.onnx.ml 3. Its input `features` has a row a record: float32 for XGBoost and CatBoost, which round each
   * number to it, float64 for LightGBM, which doesn't. Its output is float32: `probabilities` with a column a class, or `prediction`.
   */
  readonly onnx: Uint8Array;
  /** Library and version as far as the file has it: "XGBoost 3.2.0". */
  readonly library: string;
  /** Names of the columns in order, if the file has them. */
  readonly columns: readonly string[] | undefined;
  /** The library's own names of the classes in order, if the file has them. */
  readonly classes: readonly string[] | undefined;
  readonly task: TreeTask;
  /** Trees in the file, and those that count after early stopping. */
  readonly trees: { readonly all: number; readonly used: number };
  /** Sentences for a person. */
  readonly notes: readonly string[];
}

interface Form {
  readonly kind: TreeModelKind;
  /** Whether the first bytes, each a character, are of this form. */
  readonly isBegun: (head: string) => boolean;
  readonly read: (bytes: Uint8Array) => TreeEnsemble;
}

const FORMS: readonly Form[] = [
  {
    kind: 'xgboost',
    isBegun: (head) => outermostName(head, ['learner']) !== undefined,
    read: (bytes) => readXgboost(readJson(Buffer.from(bytes).toString())),
  },
  {
    kind: 'xgboost',
    isBegun: (head) => /^\{(?:[iU].|I.{2}|l.{4}|L.{8})(?:learner|version)/s.test(head),
    read: (bytes) => readXgboost(readUbjson(bytes)),
  },
  {
    // Its header is followed by the names of objective and booster.
    kind: 'xgboost',
    isBegun: (head) => /^(?:binf|bs64|.{144}[a-z]+:[a-z]+.{8}(?:gbtree|dart|gblinear))/s.test(head),
    read: () => {
      throw new Unconvertible(
        "is in XGBoost's binary format, which version 3.1 took out: " +
          'load it with XGBoost 3.0 or earlier and write booster.save_model("model.json")',
      );
    },
  },
  { kind: 'lightgbm', isBegun: (head) => /^tree\r?\n/.test(head), read: readLightgbm },
  {
    kind: 'catboost',
    isBegun: (head) => outermostName(head, ['features_info', 'ctr_data']) !== undefined,
    read: (bytes) => readCatboostJson(readJson(Buffer.from(bytes).toString())),
  },
  { kind: 'catboost', isBegun: (head) => head.startsWith('CBM1'), read: readCbm },
];
/** Enough for the first member of a document. */
const HEAD_BYTES = 65_536;

/** The kind of tree model that these bytes hold, by their beginning and not by a name, if any. */
export function treeModelKind(bytes: Uint8Array): TreeModelKind | undefined {
  return formOf(bytes)?.kind;
}

/**
 * Converts a model as XGBoost, LightGBM or CatBoost saves it to ONNX.
 *
 * @param file name for messages
 * @throws {TreesRefused} for a damaged file and for a model that has no exact form
 */
export function convertTrees(bytes: Uint8Array, file: string): ConvertedTrees {
  try {
    return convert(bytes);
  } catch (error) {
    if (!(error instanceof Unconvertible)) throw error;
    throw new TreesRefused(`${file} ${error.message}`);
  }
}

function formOf(bytes: Uint8Array): Form | undefined {
  const head = Buffer.from(bytes.subarray(0, HEAD_BYTES)).toString('latin1');
  return FORMS.find(({ isBegun }) => isBegun(head));
}

function convert(bytes: Uint8Array): ConvertedTrees {
  const form = formOf(bytes);
  if (form === undefined)
    throw new Unconvertible(
      'is no model of XGBoost, LightGBM or CatBoost: save it with save_model, not as a pickle',
    );
  if (bytes.length > constants.MAX_STRING_LENGTH)
    throw new Unconvertible(
      `has ${bytes.length} bytes, and at most ${constants.MAX_STRING_LENGTH} can be read`,
    );
  const ensemble = form.read(bytes);
  const { featureNames: columns, classNames: classes, allTrees, library, task, notes } = ensemble;
  if (!(Number.isInteger(ensemble.features) && ensemble.features > 0 && ensemble.features < 2 ** 31))
    throw new Unconvertible(`is damaged: it has ${ensemble.features} columns. Save it again`);
  if (columns.length > 0 && columns.length !== ensemble.features)
    throw new Unconvertible(
      `is damaged: it names ${columns.length} of its ${ensemble.features} columns. Save it again`,
    );
  return {
    onnx: ensembleToOnnx(ensemble),
    library,
    columns: columns.length > 0 ? columns : undefined,
    classes: classes.length > 0 ? classes : undefined,
    task,
    trees: { all: allTrees, used: ensemble.trees.length },
    notes,
  };
}
