import * as z from 'zod';
import { FilePlace } from '../input/file-place.ts';
import { ReportedLabelChanges } from '../label/label-changes.ts';
import { LabelCheck, LabelReading } from '../label/label-check.ts';
import { ReportedReview } from '../metric/blind-review.ts';
import { Exemplar } from '../metric/exemplar.ts';
import { RunId } from '../run/run-id.ts';
import { ShownAnswer } from '../tasks/shown-answers.ts';
import { TaskName } from '../tasks/task-name.ts';
import { ReportComparison } from './report-comparison.ts';
import { ReportLedger } from './report-ledger.ts';
import { ReportSlices } from './report-slices.ts';
import { SuspectLabels } from './suspect-labels.ts';

const Count = z.int().nonnegative();
const Share = z.number().min(0).max(1);
const Interval = z
  .object({ low: Share, high: Share })
  .describe("95% Wilson score interval; of a run of a sample the whole drop's.");
const Average = z.object({ precision: Share, recall: Share, f1: Share });
const Bounded = z.object({
  value: Share,
  errorBound: z.number().nonnegative().describe('How far the exact figure can be from this one.'),
});

/** One class of the report; unlisted labels follow the listed ones. */
export const ReportClass = z.object({
  name: z.string(),
  listed: z.boolean().describe('False for a label that was met and is not in labels.classes.'),
  support: Count.describe('Records with this class as their truth.'),
  predicted: Count.describe('Labeled records predicted as this class.'),
  predictedUnlabeled: Count.describe('Records predicted as this class that have no known truth.'),
  correct: Count,
  precision: Share.nullable().describe('Null if the class was never predicted.'),
  recall: Share.nullable().describe('Null if the class has no records.'),
  recallInterval: Interval.nullable(),
  f1: Share.nullable(),
  rocAuc: Bounded.nullable(),
  averagePrecision: Bounded.nullable(),
});
export type ReportClass = z.infer<typeof ReportClass>;

/** Quality figures. A figure that the outputs do not allow is null and explained in `absent`. */
export const ReportQuality = z.object({
  labeled: Count.describe('Records with a prediction and a truth: the base of the figures.'),
  correct: Count,
  accuracy: Share.describe(
    'Share of right answers; of a sample the estimate of the whole drop, in which each class that was drawn on its ' +
      'own has the weight of its size.',
  ),
  accuracyInterval: Interval,
  balancedAccuracy: Share,
  macro: Average,
  weighted: Average,
  neverPredicted: Count.describe(
    'Classes with records that were never predicted; precision counts as 0 in averages.',
  ),
  matthews: z.number().min(-1).max(1),
  kappa: z.number().max(1).nullable(),
  topK: z.array(z.object({ k: z.int().min(1), accuracy: Share, interval: Interval })),
  logLoss: z
    .number()
    .nonnegative()
    .nullable()
    .describe('Mean negative natural logarithm of the true class’s probability.'),
  brier: z.number().min(0).max(2).nullable().describe('Mean squared distance over all classes, 0 … 2.'),
  expectedCalibrationError: Share.nullable().describe(
    'Over 15 equal-width bins of confidence, open below and closed above.',
  ),
  meanConfidenceRight: Share.nullable(),
  meanConfidenceWrong: Share.nullable(),
  macroRocAuc: Bounded.nullable(),
  macroAveragePrecision: Bounded.nullable(),
});
export type ReportQuality = z.infer<typeof ReportQuality>;

const ReliabilityPoint = z.object({
  from: Share,
  to: Share,
  count: Count,
  confidence: Share,
  accuracy: Share,
  interval: Interval,
});

/** One transform job of the run. */
export const ReportJob = z.object({
  name: z.string(),
  status: z.string(),
  hardware: z.string().describe('The machines that it ran on, as in 2 × ml.m5.xlarge.'),
  objects: Count,
  startedAt: z.string().nullable(),
  endedAt: z.string().nullable(),
  costUsd: z.number().nonnegative().nullable(),
  failureReason: z.string().nullable(),
});
export type ReportJob = z.infer<typeof ReportJob>;

/** Everything that produced the run, enough to repeat it. */
export const ReportSetup = z.object({
  modelName: z.string(),
  modelSha256: z.string(),
  artifact: z.string(),
  imageUri: z.string(),
  runtimes: z
    .array(z.string())
    .describe(
      'Serving runtimes as the containers logged them (`serving runtime: …`); empty if they logged none, as the images of AWS do.',
    ),
  framework: z.string(),
  frameworkVersion: z.string(),
  input: z.string(),
  transform: z.record(z.string(), z.union([z.string(), z.number()])),
  quoteUsd: z.number().nullable(),
});
export type ReportSetup = z.infer<typeof ReportSetup>;

/** A line of errors.csv: an input, or one of its records, without a counted prediction. */
export const ReportFailure = z.object({
  ...FilePlace.shape,
  recordIndex: Count.nullable(),
  reason: z.string(),
  detail: z.string(),
});
export type ReportFailure = z.infer<typeof ReportFailure>;

/** `report.json`: all that is known about a run, and the only source of HTML, SVG, message and terminal output. */
export const Report = z.object({
  schema: z.literal(1),
  run: RunId,
  program: z.string().nullable().describe('Name and version of the program that wrote this.'),
  rescoreOf: RunId.nullable().describe(
    'The run with the predictions that are scored again; null if the run has predictions of its own.',
  ),
  previous: z
    .object({ run: RunId, accuracy: Share.nullable() })
    .nullable()
    .describe('The newest run of the pipeline that had ended when this one was planned.'),
  sample: z
    .object({
      inputs: Count,
      of: Count.describe('Inputs of the drop that they were drawn from.'),
      by: z.enum(['class', 'folder', 'none']),
      restQuoteUsd: z.number().nullable().describe('Quote of the inputs that were not drawn.'),
      early: z
        .object({
          confidence: Share.describe('Confidence of the interval of accuracy, after any number of rounds.'),
        })
        .nullable()
        .describe(
          'Of a run that was sent in rounds until its gate was decided; null if the size of the sample was given.',
        ),
    })
    .nullable()
    .describe(
      'The random part of the drop that this run predicted: all figures but accuracy and the intervals are of it; ' +
        'null if it predicted all.',
    ),
  status: z.enum(['completed', 'completed-with-errors', 'failed', 'canceled', 'refused', 'empty']),
  createdAt: z.iso.datetime(),
  startedAt: z.iso.datetime().nullable(),
  seconds: z
    .number()
    .nonnegative()
    .nullable()
    .describe(
      'From the plan, when all files were there, to this report; of a run without a plan from the start of its execution.',
    ),
  costUsd: z.number().nonnegative().nullable().describe('Of all transform jobs; null if a price is unknown.'),
  total: Count.describe('Inputs of the run, with or without a prediction.'),
  records: Count.describe('Records with a usable prediction.'),
  correct: Count.nullable(),
  accuracy: Share.nullable(),
  errors: Count.describe('Inputs, or records, without a usable prediction.'),
  errorRate: Share,
  gate: z.object({
    verdict: z.enum(['passed', 'failed', 'none']),
    explanation: z.string(),
    isSet: z
      .boolean()
      .describe('True where bounds were judged; there is no verdict if too few inputs were labeled.'),
  }),
  failure: z
    .object({
      error: z.string(),
      cause: z.string(),
      example: z
        .object({ key: z.string(), detail: z.string() })
        .optional()
        .describe("The container's message for the first input without an answer."),
      nextStep: z.string(),
    })
    .nullable()
    .describe('Why the run ended early.'),
  problems: z.array(
    z.object({ file: z.string(), field: z.string(), value: z.string(), message: z.string() }),
  ),
  notes: z.array(z.string()),
  isDoubted: z
    .boolean()
    .describe(
      "True if inputs were answered together, and some answers differ from those that they get alone: the figures are not an endpoint's.",
    ),
  quality: ReportQuality.nullable(),
  absent: z.array(z.string()).describe('Figures that the outputs do not allow, and why.'),
  classes: z.array(ReportClass),
  confusion: z
    .array(z.tuple([Count, Count, Count]))
    .describe('Truth, prediction (places in `classes`) and count of each pair that occurred.'),
  reliability: z.array(ReliabilityPoint),
  confidenceHistogram: z
    .object({ right: z.array(Count), wrong: z.array(Count) })
    .nullable()
    .describe('Records by confidence in equal-width bins from 0 to 1.'),
  thresholds: z
    .object({
      positives: Count.describe('Labeled records of the second class.'),
      negatives: Count.describe('Labeled records of the first class.'),
      points: z
        .array(z.tuple([Share, Count, Count]))
        .describe('Threshold, true positives and false positives, highest threshold first; at most 200.'),
    })
    .nullable()
    .describe(
      'What calling a record the second class from a threshold on would give; null but for two classes with up to ' +
        '1,000,000 labeled records that have probabilities.',
    ),
  mistakes: z.array(Exemplar).describe('Most confident first.'),
  exemplars: z
    .array(Exemplar)
    .describe(
      'Records that stand for the cells of the matrix, right ones too; up to three of a cell, drawn by lot.',
    ),
  errorsByReason: z.record(z.string(), Count),
  failures: z.array(ReportFailure).describe('The first of those in errors.csv.'),
  comparison: ReportComparison.nullable().describe(
    'Against report.baseline, or against the run that this one replays.',
  ),
  labels: LabelCheck.nullable().describe(
    'Defects of the labels; null if there are no labels, and if the run had no plan.',
  ),
  labelReading: LabelReading.nullable().describe(
    'How the labels were read; null without labels, and if the run had no plan.',
  ),
  labelChanges: ReportedLabelChanges.extend({
    review: ReportedReview.nullable().describe(
      'Accuracy by a blind review; null unless mistakes and right answers were read, all of them or some that were drawn by lot.',
    ),
  })
    .nullable()
    .describe(
      'Labels that have changed since the same inputs were first answered; null if no earlier run is known to have answered them.',
    ),
  suspectLabels: SuspectLabels.nullable().describe(
    'Mistakes with a label worth a look; null without labels or without a probability of each class.',
  ),
  ledger: ReportLedger.nullable().describe(
    'What the verdict rests on: each count is a part of the one before it; null if the run ended before its predictions were read.',
  ),
  slices: ReportSlices.nullable().describe(
    'Accuracy by slice, of the records that the gate judges; null without report.slices.',
  ),
  task: TaskName.describe('What the answers were judged as; "none" if pipeline.json sets "labels" to null.'),
  answers: z
    .array(ShownAnswer)
    .describe(
      'Ten answers as JSON, drawn by lot, of a run that nobody judges; long ones are cut. The rows have all.',
    ),
  setup: ReportSetup.nullable(),
  jobs: z.array(ReportJob),
});
export type Report = z.infer<typeof Report>;
