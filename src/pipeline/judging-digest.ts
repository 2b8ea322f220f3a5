import { createHash } from 'node:crypto';
import type { PipelineConfig } from './pipeline-config.ts';

/** SHA-256 of what a pipeline says on how a model is run and judged: by it two readings of pipeline.json are told apart. */
export function judgingDigest({
  model,
  transform,
  labels,
  gate,
}: Pick<PipelineConfig, 'model' | 'transform' | 'labels' | 'gate'>): string {
  return createHash('sha256').update(JSON.stringify({ model, transform, labels, gate })).digest('hex');
}
