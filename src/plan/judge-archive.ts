import { layoutProblems } from '../model/archive-layout.ts';
import type { ArchiveContents } from '../model/serving/serving-container.ts';
import type { PipelineConfig } from '../pipeline/pipeline-config.ts';

/** Why the container that a pipeline names would not serve an archive of these files; each reason ends with the remedy. */
export function archiveProblems(
  { files, ...contents }: ArchiveContents & { readonly files: readonly string[] },
  { model, transform, labels }: PipelineConfig,
): readonly string[] {
  const { framework, image, networkIsolation } = model;
  // A custom image may read any part of the archive.
  if (image !== null) return [];
  const { contentType, batchStrategy } = transform;
  const joined = labels.truth?.from === 'record';
  const needs = { framework, contentType, batchStrategy, joined, networkIsolation };
  return layoutProblems(files, needs, contents);
}
