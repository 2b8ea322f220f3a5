import * as z from 'zod';
import { Flip } from '../../metric/flip.ts';
import { RunId } from '../../run/run-id.ts';

const Count = z.int().nonnegative();
const Usd = z.number().nonnegative().nullable();
const Digest = z.string().regex(/^[0-9a-f]{64}$/);
const Time = z.iso.datetime();
const Interval = z.object({ low: z.number(), high: z.number() });

/** One metric of a training: each value of a host's log, in order; null for one that is not a number. */
const ReportMetric = z.object({
  name: z.string(),
  /** The last value, as SageMaker read it; null if it read none. */
  final: z.number().nullable(),
  hosts: z.array(
    z.object({
      host: z.string(),
      /** Number of values in the log; if they are more than are kept, `values` are spread evenly over them. */
      count: Count,
      values: z.array(z.number().nullable()),
    }),
  ),
});
export type ReportMetric = z.infer<typeof ReportMetric>;

/** Judgment of the trained model, and the model that it was compared with. */
const ReportEvaluation = z.object({
  run: RunId,
  verdict: z.enum(['passed', 'failed', 'none']),
  explanation: z.string(),
  isSet: z.boolean().describe('True where bounds were judged.'),
  accuracy: z.number().nullable(),
  inputs: Count,
  /** Cost of the runs that the training started. */
  costUsd: Usd,
  /** Comparison with the model that served; null if there was none. */
  against: z
    .object({
      run: RunId,
      accuracyBefore: z.number().nullable(),
      accuracyNow: z.number().nullable(),
      pValue: z.number().nullable(),
      lost: Count,
      gained: Count,
      flips: z.array(Flip),
    })
    .nullable(),
  /** Inputs of the evaluation that were trained on. */
  trainedOn: z.object({ count: Count, first: z.array(z.string()), compared: Count }),
  /** Images of the evaluation that look like one that was trained on, and how many images of both were looked at. */
  nearDuplicates: z
    .object({
      count: Count,
      first: z.array(z.object({ key: z.string(), like: z.string() })),
      judged: Count,
      trained: Count,
      isUnclear: z.boolean(),
    })
    .nullable(),
  /** Classes with the lowest recall. */
  weakest: z.array(
    z.object({ name: z.string(), correct: Count, support: Count, recall: z.number(), interval: Interval }),
  ),
  /** Mistakes with a label worth a look, which the judging run's report lists. */
  suspectLabels: Count,
});

/** `report.json` of a training. */
export const TrainingReport = z.object({
  schema: z.literal(1),
  kind: z.literal('training'),
  run: RunId,
  program: z.string(),
  status: z.enum(['completed', 'failed', 'canceled', 'refused', 'empty']),
  createdAt: Time,
  startedAt: Time,
  seconds: z.number().nonnegative(),
  /** Cost of the training job; runs that judge the model have reports of their own. */
  costUsd: Usd,
  quoteUsd: Usd,
  failure: z.object({ error: z.string(), cause: z.string(), nextStep: z.string() }).nullable(),
  problems: z.array(
    z.object({ file: z.string(), field: z.string(), value: z.string(), message: z.string() }),
  ),
  notes: z.array(z.string()),
  jobs: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      instanceType: z.string(),
      instanceCount: Count,
      billableSeconds: z.number().nonnegative().nullable(),
      costUsd: Usd,
      failureReason: z.string().nullable(),
    }),
  ),
  /** Phases of the job that counts. */
  phases: z.array(
    z.object({ status: z.string(), startedAt: Time, seconds: z.number().nonnegative().nullable() }),
  ),
  metrics: z.array(ReportMetric),
  /** The last lines of each host, if the training failed. */
  logEnd: z.array(z.object({ host: z.string(), lines: z.array(z.string()) })),
  evaluation: ReportEvaluation.nullable(),
  promotion: z
    .object({
      promotion: z.enum(['asked', 'kept', 'promoted', 'refused', 'never']),
      reason: z.string(),
      by: z.string(),
    })
    .nullable(),
  /** From the data to the model: each entry names its sources. */
  lineage: z.object({
    data: z.object({ manifest: z.string(), objects: Count, bytes: Count }),
    source: z
      .object({ prefix: z.string(), entryPoint: z.string(), sha256: Digest.nullable(), files: Count })
      .nullable(),
    image: z.object({ uri: z.string(), framework: z.string(), version: z.string() }).nullable(),
    /** Runtime instead of the image, and its packages, as far as the log names them. */
    runtime: z.string().nullable(),
    packages: z.array(z.string()),
    /** `training.tags`, for example with the commit of the source. */
    tags: z.record(z.string(), z.string()),
    hyperparameters: z.record(z.string(), z.string()),
    model: z
      .object({
        sha256: Digest,
        content: Digest.nullable(),
        bytes: Count,
        artifact: z.string(),
        addedCode: z.array(z.string()),
      })
      .nullable(),
    /** The run that judged the model, and whether the pipeline's endpoint follows. */
    evaluationRun: RunId.nullable(),
    deploy: z.enum(['never', 'when-gate-passes']),
  }),
});
export type TrainingReport = z.infer<typeof TrainingReport>;
