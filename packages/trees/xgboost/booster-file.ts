import * as z from 'zod';

const Numbers = z.array(z.number());
/** Numbers that may be NaN or infinite. */
const Floats = z.array(z.unknown().transform((value) => (typeof value === 'number' ? value : NaN)));

/** A tree of a booster: lists with an entry a node. */
export const BoosterTree = z.object({
  tree_param: z.object({ num_nodes: z.string(), size_leaf_vector: z.string().default('0') }),
  left_children: Numbers,
  right_children: Numbers,
  /** Columns, or 2^31 - 1 for a node that pruning has deleted. */
  split_indices: Numbers,
  /** Thresholds, or the weights of leaves; of a set of categories NaN up to XGBoost 1.7. */
  split_conditions: Floats,
  default_left: z.array(z.coerce.boolean()),
  /** 1 for a set of categories. */
  split_type: Numbers.default([]),
  categories: Numbers.default([]),
  categories_nodes: Numbers.default([]),
  categories_segments: Numbers.default([]),
  categories_sizes: Numbers.default([]),
});
export type BoosterTree = z.infer<typeof BoosterTree>;

/** The trees of a booster, and the names that it has for categories. */
export const BoosterTrees = z.object({
  gbtree_model_param: z.object({ num_trees: z.string(), num_parallel_tree: z.string().default('1') }),
  iteration_indptr: Numbers.optional(),
  tree_info: Numbers,
  trees: z.array(BoosterTree),
  cats: z
    .object({
      enc: z.array(z.object({ values: z.array(z.unknown()).default([]), offsets: z.unknown().optional() })),
    })
    .optional(),
});
export type BoosterTrees = z.infer<typeof BoosterTrees>;

/** A file as `save_model` writes it, in JSON or UBJSON: https://xgboost.readthedocs.io/en/stable/tutorials/saving_model.html. */
export const BoosterFile = z.object({
  version: Numbers.default([]),
  learner: z.object({
    attributes: z.record(z.string(), z.string()).default({}),
    feature_names: z.array(z.string()).default([]),
    feature_types: z.array(z.string()).default([]),
    gradient_booster: z.object({
      name: z.string(),
      model: z.unknown().optional(),
      gbtree: z.object({ model: z.unknown().optional() }).optional(),
      weight_drop: Numbers.optional(),
    }),
    learner_model_param: z.object({
      base_score: z.string(),
      num_class: z.string(),
      num_feature: z.string(),
      num_target: z.string().default('1'),
    }),
    objective: z.object({ name: z.string() }),
  }),
});
