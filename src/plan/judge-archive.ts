import { layoutProblems } from '../model/archive-layout.ts';
import type { PipelineConfig } from '../pipeline/pipeline-config.ts';

/** Why the container that a pipeline names would not serve an archive of these files; each reason ends with the remedy. */
export function archiveProblems(
  files: readonly string[],
  { model, transform, labels }: PipelineConfig,
): readonly string[] {
  const { framework, image, networkIsolation } = model;
  // A custom image may read any part of the archive.
  if (image !== null) return [];
  const { contentType, batchStrategy } = transform;
  const joined = labels.truth?.from === 'record';
  return layoutProblems(files, { framework, contentType, batchStrategy, joined, networkIsolation });
}
