import * as z from 'zod';
import type { Leaf, Link, Split, Tree, TreeEnsemble, TreeTask } from '../tree-ensemble.ts';
import { Unconvertible } from '../trees-refused.ts';

/** Remedy for a damaged file. */
export const SAVE_AGAIN = 'save it again with model.save_model("model.cbm")';

const Column = z.object({ feature_id: z.string().default(''), flat_feature_index: z.number() });

/** Members of a model in JSON but for its trees; a `.cbm` file is read into the same form. */
export const CatboostFacts = z.object({
  features_info: z.object({
    float_features: z
      .array(
        Column.extend({
          feature_index: z.number(),
          nan_value_treatment: z.enum(['AsIs', 'AsFalse', 'AsTrue']),
        }),
      )
      .default([]),
    categorical_features: z.array(Column).default([]),
    text_features: z.array(z.unknown()).default([]),
    embedding_features: z.array(z.unknown()).default([]),
  }),
  model_info: z.object({
    catboost_version_info: z.string().default(''),
    class_params: z
      .object({ class_names: z.array(z.union([z.string(), z.number(), z.boolean()])).default([]) })
      .optional(),
    params: z.object({ loss_function: z.object({ type: z.string() }) }),
  }),
  scale_and_bias: z.tuple([
    z.number(),
    z.union([z.number().transform((bias) => [bias]), z.array(z.number())]),
  ]),
});
export type CatboostFacts = z.infer<typeof CatboostFacts>;

/** Losses of https://catboost.ai/docs/en/concepts/loss-functions with a known answer, by task and link. */
const LOSSES: readonly { readonly task: TreeTask; readonly link: Link; readonly losses: string }[] = [
  { task: 'classification', link: 'sigmoid', losses: 'Logloss CrossEntropy MultiClassOneVsAll' },
  { task: 'classification', link: 'softmax', losses: 'MultiClass' },
  { task: 'regression', link: 'exp', losses: 'Poisson Tweedie LogLinQuantile' },
  {
    task: 'regression',
    link: 'identity',
    losses: 'RMSE MAE Quantile MAPE Lq Huber Expectile LogCosh QueryRMSE YetiRank PairLogit',
  },
];

/** Makers of the nodes of a model. */
export interface NodeMakers {
  readonly outputs: number;
  leaf(values: readonly number[]): Leaf;
  /** A split by the number of a column of floats: a value above the border goes right. */
  split(column: number, border: number, children: Pick<Split, 'left' | 'right'>): Split;
}

/** Parses facts. @throws {Unconvertible} with the field that is missing */
export function parseFacts(document: unknown): CatboostFacts {
  const result = CatboostFacts.safeParse(document);
  if (result.success) return result.data;
  throw new Unconvertible(
    `has no ${result.error.issues[0]?.path.join('.') ?? 'fields'} that can be read: load it in CatBoost 1.2 and ${SAVE_AGAIN}`,
  );
}

/**
 * The ensemble of a model.
 *
 * @throws {Unconvertible} for a loss without a known answer, and for categories, texts and embeddings
 */
export function catboostEnsemble(
  { features_info: info, model_info: model, scale_and_bias: [scale, base] }: CatboostFacts,
  readTrees: (makers: NodeMakers) => readonly Tree[],
): TreeEnsemble {
  const loss = model.params.loss_function.type;
  const answer = LOSSES.find(({ losses }) => losses.split(' ').includes(loss));
  if (answer === undefined)
    throw new Unconvertible(
      `was trained with the loss ${loss}, which has no known answer here: write model.save_model("model.onnx", format="onnx")`,
    );
  refuseOtherColumns(info);
  const columns = new Map(info.float_features.map((column) => [column.feature_index, column]));
  const features =
    1 + info.float_features.reduce((last, { flat_feature_index: at }) => Math.max(last, at), -1);
  const names = info.float_features
    .toSorted((a, b) => a.flat_feature_index - b.flat_feature_index)
    .map(({ feature_id: name }) => name);
  const outputs = base.length;
  const trees = readTrees({
    outputs,
    leaf(values) {
      if (values.length !== outputs)
        throw new Unconvertible(
          `is damaged: a leaf has ${values.length} values of ${outputs}: ${SAVE_AGAIN}`,
        );
      return { adds: values.map((value, output) => ({ output, weight: value * scale })) };
    },
    split(at, border, children) {
      const column = columns.get(at);
      if (column === undefined)
        throw new Unconvertible(`is damaged: it splits column ${at}, which it lacks: ${SAVE_AGAIN}`);
      return {
        feature: column.flat_feature_index,
        cuts: [{ upTo: Math.fround(border), to: 'left' }],
        above: 'right',
        missing: column.nan_value_treatment === 'AsTrue' ? 'right' : 'left',
        ...children,
      };
    },
  });
  const [, version] = /tags\/v(\d+(?:\.\d+)*)/.exec(model.catboost_version_info) ?? [];
  return {
    features,
    featureNames: names.every((name) => name !== '') ? names : [],
    inputs: 'float32',
    sums: 'float64',
    outputs,
    base,
    trees,
    allTrees: trees.length,
    task: answer.task,
    link: answer.link,
    classNames: answer.task === 'classification' ? (model.class_params?.class_names ?? []).map(String) : [],
    library: version === undefined ? 'CatBoost' : `CatBoost ${version}`,
    notes: [],
  };
}

function refuseOtherColumns(info: CatboostFacts['features_info']): void {
  const categories = info.categorical_features.map(
    ({ feature_id: name, flat_feature_index: at }) => name || `column ${at}`,
  );
  const kinds = [
    ...(categories.length > 0
      ? [
          `categories (${categories.join(', ')}), which CatBoost computes by hashes of their text and statistics of the training`,
        ]
      : []),
    ...(info.text_features.length > 0 ? ['texts'] : []),
    ...(info.embedding_features.length > 0 ? ['embeddings'] : []),
  ];
  if (kinds.length > 0)
    throw new Unconvertible(
      `takes ${kinds.join(' and ')}: train it on numbers, or serve it with an image of your own (model.image)`,
    );
}

/** A split of a symmetric tree. */
export interface LevelSplit {
  readonly column: number;
  readonly border: number;
}

/** A tree with one split a level: split i is bit i of a leaf's place among the values. @throws {Unconvertible} */
export function symmetricTree(
  splits: readonly LevelSplit[],
  values: readonly number[],
  makers: NodeMakers,
): Tree {
  const depth = splits.length;
  const leaves = 2 ** depth;
  if (values.length !== leaves * makers.outputs)
    throw new Unconvertible(
      `is damaged: a tree of depth ${depth} has ${values.length} values of ${leaves * makers.outputs}: ${SAVE_AGAIN}`,
    );
  // Level by level: the first split's bit is the highest of a place in its level.
  const inner = splits.flatMap(({ column, border }, level) =>
    Array.from({ length: 2 ** level }, (_, at) => {
      const left = 2 ** (level + 1) - 1 + 2 * at;
      return makers.split(column, border, { left, right: left + 1 });
    }),
  );
  const outer = Array.from({ length: leaves }, (_, place) => {
    const at = splits.reduce(
      (sum, _split, level) => sum + (((place >> (depth - 1 - level)) & 1) << level),
      0,
    );
    return makers.leaf(values.slice(at * makers.outputs, (at + 1) * makers.outputs));
  });
  return [...inner, ...outer];
}
