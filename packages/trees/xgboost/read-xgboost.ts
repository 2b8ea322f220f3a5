import * as z from 'zod';
import { floatBelow } from '../adjacent-numbers.ts';
import { cutsOfSet } from '../category-cuts.ts';
import type { Leaf, Split, Tree, TreeEnsemble } from '../tree-ensemble.ts';
import { Unconvertible } from '../trees-refused.ts';
import { BoosterFile, type BoosterTree, BoosterTrees } from './booster-file.ts';
import { OBJECTIVES } from './objectives.ts';

const AGAIN = 'save it again with booster.save_model("model.json")';
const DELETED = 2 ** 31 - 1;

/**
 * Reads a booster from the document of its JSON or UBJSON. Rounds after `best_iteration` are left out, as they are by XGBoost's classes
 * for scikit-learn and by SageMaker's container.
 *
 * @throws {Unconvertible}
 */
export function readXgboost(document: unknown): TreeEnsemble {
  const { learner, version } = parsed(BoosterFile.safeParse(document));
  const { gradient_booster: booster, learner_model_param: param, feature_names: featureNames } = learner;
  if (booster.name === 'gblinear')
    throw new Unconvertible(
      'has the booster gblinear, which has no trees: train it with the booster gbtree, or a linear model with scikit-learn',
    );
  const objective = OBJECTIVES.get(learner.objective.name);
  if (objective === undefined)
    throw new Unconvertible(
      `has the objective ${learner.objective.name}, which has no known answer here: convert it to ONNX in Python (onnxmltools)`,
    );
  const model = parsed(BoosterTrees.safeParse(booster.model ?? booster.gbtree?.model));
  const scores = scoresOf(param.base_score);
  const targets = Number(param.num_target);
  const outputs = Math.max(1, Number(param.num_class), scores.length);
  if (targets > 1 || (objective.task === 'regression' && outputs > 1) || model.trees.some(isOfVectors))
    throw new Unconvertible(
      `answers ${Math.max(targets, outputs)} targets a record: train one model for each`,
    );
  refuseTexts(model, featureNames);
  const count = Number(model.gbtree_model_param.num_trees);
  if (count !== model.trees.length || count !== model.tree_info.length)
    throw new Unconvertible(`is damaged: it counts ${count} trees and has ${model.trees.length}: ${AGAIN}`);
  if (!(outputs <= count))
    throw new Unconvertible(`is damaged: it has ${count} trees for ${outputs} classes: ${AGAIN}`);
  const weights = booster.weight_drop ?? model.trees.map(() => 1);
  if (weights.length !== count)
    throw new Unconvertible(`is damaged: it has ${weights.length} weights for ${count} trees: ${AGAIN}`);

  const { used, note } = roundsOf(model, learner.attributes['best_iteration'], outputs);
  const margins = Array.from({ length: outputs }, (_, at) =>
    Math.fround(objective.margin(Math.fround(scores[at] ?? scores[0] ?? NaN))),
  );
  return {
    features: Number(param.num_feature),
    featureNames,
    inputs: 'float32',
    sums: 'float32',
    outputs,
    ...withBaseFirst(
      model.trees
        .slice(0, used)
        .map((tree, at) => toTree(tree, model.tree_info[at] ?? NaN, Math.fround(weights[at] ?? NaN))),
      margins,
    ),
    allTrees: count,
    link: objective.link,
    task: objective.task,
    classNames: [],
    library: ['XGBoost', version.join('.')].filter(Boolean).join(' '),
    notes: [
      ...note,
      ...(learner.feature_types.includes('c') ? ['categories are the codes that it was trained on'] : []),
    ],
  };
}

function parsed<T>(result: z.ZodSafeParseResult<T>): T {
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new Unconvertible(
    `has ${issue?.path.join('.') ?? 'a field'} that cannot be read (${issue?.message ?? ''}): load it in XGBoost 1.7 or later and ${AGAIN}`,
  );
}

/** `base_score`: a number, since XGBoost 3.1 a list with one for each class. */
function scoresOf(text: string): readonly number[] {
  const scores = text
    .replace(/^\[(.*)\]$/, '$1')
    .split(',')
    .map((part) => (part.trim() === '' ? NaN : Number(part)));
  if (scores.every(Number.isFinite)) return scores;
  throw new Unconvertible(`is damaged: base_score is "${text}": ${AGAIN}`);
}

function isOfVectors({ tree_param: { size_leaf_vector: size } }: BoosterTree): boolean {
  return Number(size) > 1;
}

/** Refuses categories other than 0, 1, 2, …, which are their own codes. */
function refuseTexts({ cats }: BoosterTrees, names: readonly string[]): void {
  const at = (cats?.enc ?? []).findIndex(({ values, offsets }) =>
    offsets === undefined ? values.some((value, code) => value !== code) : values.length > 0,
  );
  if (at !== -1)
    throw new Unconvertible(
      `has categories as text in column "${names[at] ?? at}", which XGBoost codes itself: ` +
        `train it on codes (frame["${names[at] ?? at}"].cat.codes)`,
    );
}

/** How many trees count, and what to say if early stopping chose a round before the last. */
function roundsOf(
  { trees, iteration_indptr: ends, gbtree_model_param: { num_parallel_tree: parallel } }: BoosterTrees,
  best: string | undefined,
  outputs: number,
): { readonly used: number; readonly note: readonly string[] } {
  if (best === undefined) return { used: trees.length, note: [] };
  const perRound = Math.max(1, Number(parallel)) * outputs;
  const rounds = Number(best) + 1;
  const all = ends === undefined ? trees.length / perRound : ends.length - 1;
  const used = ends === undefined ? rounds * perRound : (ends[rounds] ?? NaN);
  if (!(used > 0 && used <= trees.length))
    throw new Unconvertible(`is damaged: best_iteration is ${best}, and it has ${all} rounds: ${AGAIN}`);
  return { used, note: rounds < all ? [`early stopping chose round ${rounds} of ${all}`] : [] };
}

/**
 * Puts the base into the leaves of each output's first tree. XGBoost adds float32 numbers in order, beginning with the base, while
 * onnxruntime adds the base last; so the sums are the same in every bit.
 */
function withBaseFirst(
  trees: readonly Tree[],
  base: readonly number[],
): Pick<TreeEnsemble, 'trees' | 'base'> {
  const outputs = trees.map(outputOf);
  const isFirst = outputs.map((output, at) => outputs.indexOf(output) === at);
  return {
    base: base.map((margin, output) => (outputs.includes(output) ? 0 : margin)),
    trees: trees.map((tree, at) => (isFirst[at] === true ? tree.map((node) => withBase(node, base)) : tree)),
  };
}

function outputOf(tree: Tree): number | undefined {
  for (const node of tree) if (node !== undefined && 'adds' in node) return node.adds[0]?.output;
  return undefined;
}

function withBase(node: Tree[number], base: readonly number[]): Tree[number] {
  if (node === undefined || !('adds' in node)) return node;
  const adds = node.adds.map(({ output, weight }) => ({
    output,
    weight: Math.fround(weight + (base[output] ?? NaN)),
  }));
  return { adds };
}

/** @param scale weight of the tree in DART */
function toTree(tree: BoosterTree, output: number, scale: number): Tree {
  const { left_children: lefts, right_children: rights, split_indices: columns } = tree;
  const { split_conditions: conditions, default_left: defaults } = tree;
  const count = Number(tree.tree_param.num_nodes);
  if ([lefts, rights, columns, conditions, defaults].some(({ length }) => length !== count))
    throw new Unconvertible(`is damaged: a tree counts ${count} nodes and has ${lefts.length}: ${AGAIN}`);
  const sets = setsOf(tree);
  return lefts.map((left, at): Split | Leaf | undefined => {
    const feature = columns[at] ?? NaN;
    const condition = Math.fround(conditions[at] ?? NaN);
    if (left === -1)
      return feature === DELETED ? undefined : { adds: [{ output, weight: Math.fround(condition * scale) }] };
    return {
      feature,
      // A category of the set goes right; others, and numbers that are no category, left.
      ...(tree.split_type[at] === 1
        ? {
            cuts: cutsOfSet(sets.get(at) ?? [], 'right', { below: floatBelow, belowZero: floatBelow(0) }),
            above: 'left',
          }
        : { cuts: [{ upTo: floatBelow(condition), to: 'left' }], above: 'right' }),
      missing: defaults[at] === true ? 'left' : 'right',
      left,
      right: rights[at] ?? NaN,
    };
  });
}

/** Codes of the nodes that split by categories. */
function setsOf(tree: BoosterTree): ReadonlyMap<number, readonly number[]> {
  const { categories, categories_nodes: nodes, categories_segments: starts, categories_sizes: sizes } = tree;
  const total = sizes.reduce((sum, size) => sum + size, 0);
  if (total !== categories.length || starts.length !== nodes.length || sizes.length !== nodes.length)
    throw new Unconvertible(
      `is damaged: a tree counts ${total} categories and has ${categories.length}: ${AGAIN}`,
    );
  return new Map(
    nodes.map((node, at) => {
      const start = starts[at] ?? 0;
      return [node, categories.slice(start, start + (sizes[at] ?? 0))];
    }),
  );
}
