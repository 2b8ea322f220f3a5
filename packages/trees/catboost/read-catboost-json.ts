import * as z from 'zod';
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

const FloatSplit = z
  .object({
    split_type: z.literal('FloatFeature'),
    float_feature_index: z.number(),
    border: z.number(),
  })
  .transform(({ float_feature_index: column, border }): LevelSplit => ({ column, border }));

const SymmetricTree = z.object({
  leaf_values: z.array(z.number()),
  splits: z.array(FloatSplit).nullable().default([]),
});
const Branch = z.object({ split: FloatSplit, left: z.unknown(), right: z.unknown() });
const EndOfBranch = z.object({
  value: z.union([z.number().transform((value) => [value]), z.array(z.number())]),
});
const Trees = z.object({
  oblivious_trees: z.array(SymmetricTree).default([]),
  trees: z.array(z.unknown()).default([]),
});

/** CatBoost's trees are 16 levels deep at most. */
const MAX_DEPTH = 32;

/** Reads a model from the document of its JSON. @throws {Unconvertible} */
export function readCatboostJson(document: unknown): TreeEnsemble {
  const facts = parseFacts(document);
  return catboostEnsemble(facts, (makers) => {
    const { oblivious_trees: symmetric, trees } = parsed(Trees.safeParse(document));
    return [
      ...symmetric.map(({ splits, leaf_values: values }) => symmetricTree(splits ?? [], values, makers)),
      ...trees.map((root) => branchTree(root, makers)),
    ];
  });
}

function branchTree(root: unknown, makers: NodeMakers): Tree {
  const nodes: (Split | Leaf)[] = [];
  const add = (branch: unknown, depth: number): number => {
    if (depth > MAX_DEPTH)
      throw new Unconvertible(`is damaged: a tree is deeper than ${MAX_DEPTH}: ${SAVE_AGAIN}`);
    const at = nodes.length;
    const found = Branch.safeParse(branch);
    if (!found.success) {
      nodes.push(makers.leaf(parsed(EndOfBranch.safeParse(branch)).value));
      return at;
    }
    nodes.push({ adds: [] });
    const { split, left, right } = found.data;
    const children = { left: add(left, depth + 1), right: add(right, depth + 1) };
    nodes[at] = makers.split(split.column, split.border, children);
    return at;
  };
  add(root, 0);
  return nodes;
}

function parsed<T>(result: z.ZodSafeParseResult<T>): T {
  if (result.success) return result.data;
  throw new Unconvertible(
    `has a tree with ${result.error.issues[0]?.path.join('.') ?? 'a node'} that cannot be read: ${SAVE_AGAIN}`,
  );
}
