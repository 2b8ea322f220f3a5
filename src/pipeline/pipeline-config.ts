import * as z from 'zod';
import { ColumnSettings } from './column-settings.ts';
import { EndpointSettings } from './endpoint-settings.ts';
import { GateSettings } from './gate-settings.ts';
import { TaskLabels, toLabelsDocument } from './label-settings.ts';
import { LimitSettings } from './limit-settings.ts';
import { ModelSettings } from './model-settings.ts';
import { ReportSettings } from './report-settings.ts';
import { SampleSettings } from './sample-settings.ts';
import { TrainingSettings } from './training-settings.ts';
import { TransformSettings } from './transform-settings.ts';

/** When a drop counts as complete. */
export const DropSettings = z.strictObject({
  quietSeconds: z.int().min(0).max(86_400).describe('Time without a new file.').default(60),
  maxWaitMinutes: z
    .int()
    .min(1)
    .max(10_080)
    .describe('The run starts at the latest this long after its first file.')
    .default(30),
});
export type DropSettings = z.infer<typeof DropSettings>;

/**
 * `pipelines/<pipeline>/pipeline.json`: every field has a default except `model.framework`, `model.frameworkVersion` and
 * `labels.classes`. Unknown fields are refused.
 */
export const PipelineConfig = z.strictObject({
  $schema: z.string().optional().describe('URI of the JSON Schema of this file, for editors.'),
  model: ModelSettings,
  transform: TransformSettings.prefault({}),
  columns: ColumnSettings.nullable()
    .default(null)
    .describe(
      'Columns of tables, in CSV or JSON Lines, with rows that are inputs. Null: files are sent as they are.',
    ),
  labels: TaskLabels,
  report: ReportSettings.prefault({}),
  gate: GateSettings.nullable().default(null).describe('What the report must reach. Null: no gate.'),
  endpoint: EndpointSettings.prefault({}),
  drop: DropSettings.prefault({}),
  sample: SampleSettings.nullable()
    .default(null)
    .describe(
      'Predict a random part of each drop first. A run of a sample is not deployed automatically; `inferdrop ' +
        'continue` predicts the rest. Null: all inputs.',
    ),
  limits: LimitSettings.prefault({}),
  training: TrainingSettings.nullable()
    .default(null)
    .describe('How the pipeline trains models. Null: it does not.'),
});
export type PipelineConfig = z.infer<typeof PipelineConfig>;

/** The configuration as a pipeline.json that is read as it. */
export function toConfigDocument({ labels, ...config }: PipelineConfig): object {
  return { ...config, labels: toLabelsDocument(labels) };
}
