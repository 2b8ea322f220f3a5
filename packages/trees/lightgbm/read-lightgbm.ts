import * as z from 'zod';
import { readJson } from '../json-document.ts';
import type { Link, TreeEnsemble, TreeTask } from '../tree-ensemble.ts';
import { Unconvertible } from '../trees-refused.ts';
import { numbersOf, readModelText, SAVE_AGAIN } from './model-text.ts';
import { readTree } from './read-tree.ts';

const VERSIONS = ['v3', 'v4'];

/**
 * Reads a booster from the text that `save_model` writes, which has no trees after the round that early stopping chose.
 *
 * @throws {Unconvertible}
 */
export function readLightgbm(bytes: Uint8Array): TreeEnsemble {
  const { header, trees, pandasCategories } = readModelText(bytes);
  const version = header.get('version') ?? 'none';
  if (!VERSIONS.includes(version))
    throw new Unconvertible(`has the version ${version}: load it in LightGBM 3 or later and ${SAVE_AGAIN}`);
  const outputs = countOf(header, 'num_tree_per_iteration');
  if (outputs < 1 || outputs > trees.length)
    throw new Unconvertible(`is damaged: it has ${trees.length} trees for ${outputs} classes: ${SAVE_AGAIN}`);
  const features = countOf(header, 'max_feature_idx') + 1;
  const { task, link, scale } = answerOf(header.get('objective') ?? 'none');
  refuseTexts(pandasCategories);
  const mean = header.has('average_output') ? outputs / trees.length : 1;
  const names = (header.get('feature_names') ?? '').split(' ');
  return {
    features,
    featureNames: names.every((name, at) => name === `Column_${at}`) ? [] : names,
    inputs: 'float64',
    sums: 'float64',
    outputs,
    base: Array.from({ length: outputs }, () => 0),
    trees: trees.map((fields, at) => readTree(fields, at % outputs, mean * scale)),
    allTrees: trees.length,
    link,
    task,
    classNames: [],
    library: `LightGBM, format ${version}`,
    notes: trees.some((fields) => countOf(fields, 'num_cat') > 0)
      ? ['categories are the codes that it was trained on']
      : [],
  };
}

function countOf(fields: ReadonlyMap<string, string>, name: string): number {
  const [count = NaN] = numbersOf(fields, name);
  if (Number.isInteger(count) && count >= 0 && count < 2 ** 31) return count;
  throw new Unconvertible(`is damaged: its ${name} is "${fields.get(name) ?? ''}": ${SAVE_AGAIN}`);
}

interface Answer {
  readonly task: TreeTask;
  readonly link: Link;
  /** Factor of the sums. */
  readonly scale: number;
}

/** Objectives of https://lightgbm.readthedocs.io/en/stable/Parameters.html#objective, with their parameters behind. */
function answerOf(text: string): Answer {
  const [objective = '', ...parameters] = text.split(' ');
  const sigmoid = Number(parameters.find((one) => one.startsWith('sigmoid:'))?.slice('sigmoid:'.length) ?? 1);
  switch (objective) {
    case 'binary':
    case 'multiclassova':
      return { task: 'classification', link: 'sigmoid', scale: sigmoid };
    case 'multiclass':
      return { task: 'classification', link: 'softmax', scale: 1 };
    case 'cross_entropy':
      return { task: 'regression', link: 'sigmoid', scale: 1 };
    case 'cross_entropy_lambda':
      return { task: 'regression', link: 'softplus', scale: 1 };
    case 'poisson':
    case 'gamma':
    case 'tweedie':
      return { task: 'regression', link: 'exp', scale: 1 };
    case 'regression':
    case 'regression_l1':
    case 'huber':
    case 'fair':
    case 'quantile':
    case 'mape':
    case 'lambdarank':
    case 'rank_xendcg':
      return {
        task: 'regression',
        link: parameters.includes('sqrt') ? 'signed-square' : 'identity',
        scale: 1,
      };
    default:
      throw new Unconvertible(
        `has the objective ${objective}, which has no known answer here: convert it to ONNX in Python (onnxmltools)`,
      );
  }
}

/** Refuses categories other than 0, 1, 2, …, which are their own codes. */
function refuseTexts(text: string): void {
  const columns = z.array(z.array(z.unknown())).nullable().safeParse(readJson(text));
  if (!columns.success)
    throw new Unconvertible(`is damaged: its pandas_categorical is no list: ${SAVE_AGAIN}`);
  const column = (columns.data ?? []).find((values) => values.some((value, code) => value !== code));
  if (column !== undefined)
    throw new Unconvertible(
      `was trained on a table with categories as text, such as ${JSON.stringify(column[0])}, which pandas codes: ` +
        'train it on codes (frame[column].cat.codes)',
    );
}
