import { createHash } from 'node:crypto';
import type { PipelineConfig } from './pipeline-config.ts';

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
