import { createHash } from 'node:crypto';
import type { ResolvedGate } from './gate-settings.ts';
import type { PipelineConfig } from './pipeline-config.ts';

/** At 95 % confidence 30 right answers of 30 prove an accuracy of 90.5 %: no smaller sample proves the usual minima. */
const MIN_INPUTS = 30;
const CONFIDENCE = 0.95;
const MIN_LABELED = 0.9;

/**
 * Fills in the defaults of a pipeline's gate, which are stricter if an action follows from the verdict without a person's decision, and
 * where a part stands for the whole drop.
 */
export function resolveGate({
  gate,
  endpoint,
  training,
  sample,
}: Pick<PipelineConfig, 'gate' | 'endpoint' | 'training' | 'sample'>): ResolvedGate | null {
  if (gate === null) return null;
  const isStrict = actsByItself({ endpoint, training }) || sample !== null || gate.decide === 'early';
  return {
    ...gate,
    minInputs: gate.minInputs ?? (isStrict ? MIN_INPUTS : 1),
    minLabeled: gate.minLabeled === undefined ? (isStrict ? MIN_LABELED : null) : gate.minLabeled,
    confidence: gate.confidence === undefined ? (isStrict ? CONFIDENCE : null) : gate.confidence,
  };
}

/** Whether something follows from a pass without a person's decision. */
export function actsByItself({ endpoint, training }: Pick<PipelineConfig, 'endpoint' | 'training'>): boolean {
  return endpoint.deploy === 'when-gate-passes' || training?.after.promote === 'when-gate-passes';
}

/** SHA-256 of the settings that affect a verdict; shows whether pipeline.json changed between two reads. */
export function judgingDigest({
  model,
  transform,
  labels,
  gate,
  report,
}: Pick<PipelineConfig, 'model' | 'transform' | 'labels' | 'gate' | 'report'>): string {
  // The gate judges slices only by their names.
  const slices = gate?.slices === undefined ? undefined : report.slices;
  return createHash('sha256')
    .update(JSON.stringify({ model, transform, labels, gate, slices, clusters: report.clusters }))
    .digest('hex');
}
