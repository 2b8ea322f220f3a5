import { layoutProblems } from '../model/archive-layout.ts';
import { SERVING } from '../model/framework.ts';
import type { ModelSignature } from '../model/read-signatures.ts';
import { servedSignature } from '../model/served-signature.ts';
import type { ArchiveContents } from '../model/serving/serving-container.ts';
import type { PipelineConfig } from '../pipeline/pipeline-config.ts';
import type { AnsweringModel } from './judge-answers.ts';

/** Why the container that a pipeline names would not serve an archive of these files; each reason ends with the remedy. */
export function archiveProblems(
  { files, ...contents }: ArchiveContents & { readonly files: readonly string[] },
  { model, transform, labels }: PipelineConfig,
): readonly string[] {
  const { framework, image, images, networkIsolation } = model;
  // A custom image may read any part of the archive.
  if (image !== null) return [];
  const { contentType, batchStrategy } = transform;
  const joined = labels.truth?.from === 'record';
  const needs = { framework, contentType, batchStrategy, joined, networkIsolation, images };
  return layoutProblems(files, needs, contents);
}

/** Facts from an archive about the answers that a pipeline's container gives. */
export function answeringModel(
  {
    files,
    signatures,
  }: {
    readonly files: readonly string[];
    readonly signatures: ReadonlyMap<string, readonly ModelSignature[]>;
  },
  { framework, image }: PipelineConfig['model'],
): AnsweringModel {
  return {
    signature: servedSignature(signatures),
    isPlain: image === null && SERVING[framework].answersBySignature(files),
  };
}
