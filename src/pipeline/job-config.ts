import * as z from 'zod';
import { GateSettings } from './gate-settings.ts';
import { ClassNames, LabelSettings, TruthSource } from './label-settings.ts';
import { LimitSettings } from './limit-settings.ts';
import { DropSettings } from './pipeline-config.ts';
import { ReportSettings } from './report-settings.ts';
import { SampleSettings } from './sample-settings.ts';
import { TransformSettings } from './transform-settings.ts';

const s3Uri = z.string().regex(/^s3:\/\/[^/]+\/.*/, 'must be an S3 URI such as s3://my-bucket/images/');

/** Files outside the drop, within the buckets that the stack may read. */
const InputSource = z.union([
  z.strictObject({ s3Prefix: s3Uri.describe('Every object below this prefix.') }),
  z.strictObject({
    manifest: s3Uri.describe("A manifest in SageMaker's format: a prefix and keys below it."),
  }),
]);

const transform = TransformSettings.shape;
const drop = DropSettings.shape;
const limits = LimitSettings.shape;

/**
 * `job.json` in a drop: the settings that uploaders may override. It has no defaults: a missing field is pipeline.json's. Model,
 * instances, endpoint and notifications cannot be set here. If job.json sets `input`, `labels` or the content types or filter of
 * `transform`, the run is never deployed and never a baseline (`mergeJob`).
 */
export const JobConfig = z.strictObject({
  $schema: z.string().optional().describe('URI of the JSON Schema of this file, for editors.'),
  input: InputSource.optional().describe('Take the inputs from elsewhere instead of from the drop.'),
  transform: z
    .strictObject({
      contentType: transform.contentType.unwrap().optional(),
      accept: transform.accept.unwrap().optional(),
      maxConcurrentTransforms: transform.maxConcurrentTransforms.unwrap().optional(),
      maxPayloadInMB: transform.maxPayloadInMB.unwrap().optional(),
      splitType: transform.splitType.unwrap().optional(),
      batchStrategy: transform.batchStrategy.unwrap().optional(),
      assembleWith: transform.assembleWith.unwrap().optional(),
      inputFilter: transform.inputFilter.unwrap().optional(),
      invocationsTimeoutInSeconds: transform.invocationsTimeoutInSeconds.unwrap().optional(),
      invocationsMaxRetries: transform.invocationsMaxRetries.unwrap().optional(),
    })
    .optional(),
  labels: z
    .strictObject({
      classes: ClassNames.optional(),
      truth: TruthSource.optional(),
      numbers: LabelSettings.shape.numbers.unwrap().optional(),
      classOffset: LabelSettings.shape.classOffset.unwrap().optional(),
      scores: LabelSettings.shape.scores.unwrap().optional(),
      threshold: LabelSettings.shape.threshold.unwrap().optional(),
    })
    .optional(),
  report: z
    .strictObject({
      topK: ReportSettings.shape.topK.unwrap().optional(),
      baseline: ReportSettings.shape.baseline.unwrap().optional(),
    })
    .optional(),
  drop: z
    .strictObject({
      quietSeconds: drop.quietSeconds.unwrap().optional(),
      maxWaitMinutes: drop.maxWaitMinutes.unwrap().optional(),
    })
    .optional(),
  sample: z
    .strictObject({
      inputs: SampleSettings.shape.inputs,
      by: SampleSettings.shape.by.unwrap().optional(),
    })
    .nullable()
    .optional()
    .describe("In place of the pipeline's sample; null: all inputs."),
  gate: GateSettings.omit({ slices: true }).optional().describe("May only tighten the pipeline's gate."),
  limits: z
    .strictObject({
      maxCostUsd: limits.maxCostUsd.unwrap().unwrap().optional(),
      maxCostUsdPerDay: limits.maxCostUsdPerDay.unwrap().unwrap().optional(),
      maxConcurrentRuns: limits.maxConcurrentRuns.unwrap().optional(),
      maxRuntimeMinutes: limits.maxRuntimeMinutes.unwrap().optional(),
    })
    .optional()
    .describe("May only tighten the pipeline's limits."),
});
export type JobConfig = z.infer<typeof JobConfig>;
