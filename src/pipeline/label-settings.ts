import * as z from 'zod';
import type { TaskName } from '../tasks/task-name.ts';
import { Column } from './column-settings.ts';

const className = z
  .string()
  .min(1)
  .max(200)
  .regex(/^(?:\S(?:[\s\S]*\S)?)?$/, 'must have no space at its start or end, which labels are read without');

/** The names of the classes by index, or a text file next to pipeline.json with one name on each line. */
export const ClassNames = z
  .union([
    z.array(className).min(2).max(100_000),
    z.strictObject({
      file: z.string().min(1).describe('A text file next to pipeline.json, one class name on each line.'),
    }),
  ])
  .describe('Class names in the order of the outputs of the model.');

/** Where the true class of an input is found; null if it is unknown. */
export const TruthSource = z
  .discriminatedUnion('from', [
    z.strictObject({
      from: z.literal('key'),
      pattern: z
        .string()
        .min(1)
        .describe(
          'RE2 regular expression over the key, of at most 500 characters; its first group is the label.',
        ),
    }),
    z.strictObject({ from: z.literal('folder') }),
    z.strictObject({
      from: z.literal('file'),
      path: z
        .string()
        .min(1)
        .describe('CSV or JSON Lines file in the drop: key, label.')
        .default('labels.csv'),
      column: z
        .string()
        .min(1)
        .max(200)
        .nullable()
        .describe(
          'Column that holds the label. Null: the one that is called label, class or the like, or the only one ' +
            'besides the names of the inputs.',
        )
        .default(null),
    }),
    z.strictObject({
      from: z.literal('member'),
      extension: z
        .string()
        .regex(/^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$/, 'must be an extension without its dot, as in cls')
        .describe('Extension of the member of the tar that holds the label of those next to it: cls, json.')
        .default('cls'),
      path: z
        .string()
        .min(1)
        .max(200)
        .nullable()
        .describe(
          'JSONPath to the label in that member, as in $.label; null if all of its text is the label.',
        )
        .default(null),
    }),
    z.strictObject({
      from: z.literal('column'),
      column: Column.describe('Column of the tables that `columns` opens: its title, or its place from 0.'),
    }),
    z.strictObject({
      from: z.literal('record'),
      path: z
        .string()
        .min(1)
        .max(200)
        .describe('JSONPath to the label in each record: $.label, or $[0] for the first cell of a CSV row.'),
    }),
  ])
  .nullable()
  .describe(
    'Where the true class of each input is found: {"from": "key", "pattern": …}, {"from": "folder"} (name of the folder ' +
      'that holds the input), {"from": "file", "path": "labels.csv"}, {"from": "member", "extension": "cls"} (a file ' +
      'next to the input in its tar), {"from": "column", "column": "diagnosis"} (a column of the tables that ' +
      '`columns` opens), {"from": "record", "path": "$.label"} (a field of each JSON record; "$[0]" is the first ' +
      'cell of a CSV row), or null if it is unknown.',
  );
export type TruthSource = z.infer<typeof TruthSource>;

/** Class names and truth. */
export const LabelSettings = z.strictObject({
  classes: ClassNames,
  truth: TruthSource.default(null),
  numbers: z
    .enum(['names', 'index', 'index-from-1'])
    .nullable()
    .describe(
      'What a number in a label means: "names": the class of that name, "index": its place in classes from 0 on, ' +
        '"index-from-1": from 1 on. ' +
        'Null: decided from all labels of a drop, which is refused if they fit two of these.',
    )
    .default(null),
  strict: z
    .boolean()
    .describe(
      'True refuses a run before its first job where a label is not a class, a row of the label file names no ' +
        'file, a key has two different labels, or an input has no label. False: such labels are counted and listed.',
    )
    .default(false),
  classOffset: z
    .int()
    .min(-1_000_000)
    .max(1_000_000)
    .describe('Added to a predicted integer class: -1 where class 0 means "background".')
    .default(0),
  scores: z
    .enum(['as-answered', 'logits'])
    .describe(
      'What the scores of the model are: "logits" are turned into probabilities, by the softmax, or by the sigmoid where the ' +
        'model answers one number a record. "as-answered": scores that add up to 1 are probabilities, others only rank the classes. ' +
        'A record has one class: several at once (multi-label) are not supported.',
    )
    .default('as-answered'),
  threshold: z
    .number()
    .gt(0)
    .lt(1)
    .describe(
      'For two classes: the second is predicted where its probability is above this. A model that answers one number a record, as ' +
        'one sigmoid does, answers that probability. Null: 0.5.',
    )
    .nullable()
    .default(null),
  outcomes: z
    .boolean()
    .describe(
      'True states that labels which come after the predictions are outcomes that nobody could choose, such as ' +
        'churn or fraud: a gate that deploys or promotes may pass by them. Only pipeline.json can state it.',
    )
    .default(false),
});
export type LabelSettings = z.infer<typeof LabelSettings>;

/** Settings of `"labels": null`. */
const NO_LABELS = {
  task: 'none',
  truth: null,
  numbers: null,
  strict: false,
  classOffset: 0,
  scores: 'as-answered',
  threshold: null,
  outcomes: false,
} as const;

/** `labels` of pipeline.json, with the task that it sets. */
export const TaskLabels = LabelSettings.nullable()
  .describe(
    'What the answers are judged by. Null: answers of any kind (numbers, embeddings, boxes, texts), which nobody judges: ' +
      'the report has counts, errors, cost and ten answers.',
  )
  .transform((labels): LabelSettings & { readonly task: TaskName } =>
    labels === null ? { ...NO_LABELS, classes: [] } : { ...labels, task: 'classification' },
  );
export type TaskLabels = z.infer<typeof TaskLabels>;

/** `labels` as pipeline.json has them. */
export function toLabelsDocument({ task, ...labels }: TaskLabels): LabelSettings | null {
  return task === NO_LABELS.task ? null : labels;
}
