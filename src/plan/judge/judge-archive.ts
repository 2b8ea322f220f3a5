import { kindFor } from '../../endpoints/kinds.ts';
import type { AnsweringModel, ArchiveFiles, ArchiveRules } from '../../frameworks/archive.ts';
import { ARCHIVES, layoutProblems } from '../../frameworks/archives.ts';
import type { ModelArchive } from '../../model/read-archive.ts';
import { unreadFiles } from '../../model/unread-files.ts';
import type { PipelineConfig } from '../../pipeline/pipeline-config.ts';
import { toSize } from '../../text/size.ts';
import { PREDICT_MEMORY_MB } from '../../transform/predict-function.ts';
import { startsContainer } from '../engine/engine-config.ts';

/** The function's memory holds model and inputs, and onnxruntime needs about twice the size of its weights while it loads. */
const MOST_ARCHIVE_BYTES = 400_000_000;

/** Why the container that a pipeline names would not serve an archive of these files; each reason includes the remedy. */
export function archiveProblems(
  { files, ...contents }: ArchiveFiles,
  { model, transform, endpoint }: PipelineConfig,
): readonly string[] {
  const { framework, frameworkVersion, environment, image, images } = model;
  // A custom image may read any part of the archive.
  if (image !== null) return [];
  // Functions have what they need; only AWS's container asks the network for packages.
  const hasContainer = startsContainer({ transform }) || !kindFor(endpoint).runsInFunctions;
  const networkIsolation = model.networkIsolation && hasContainer;
  const { contentType } = transform;
  const needs = { framework, frameworkVersion, environment, images, contentType };
  const unread = unreadFiles(files, contents);
  const read = files.filter((file) => !unread.some(({ name }) => name === file));
  return [
    ...unread.map(({ problem }) => problem),
    ...layoutProblems(read, { ...needs, networkIsolation }, contents),
  ];
}

/** Facts from an archive about the answers that a pipeline's container gives. */
export function answeringModel(
  archive: Parameters<ArchiveRules['answering']>[0],
  { framework, frameworkVersion, image, environment }: PipelineConfig['model'],
): AnsweringModel {
  const answers = ARCHIVES[framework].answering(archive, { frameworkVersion, environment });
  return image === null ? answers : { ...answers, isPlain: false, answersOutputs: false };
}

/** Why a function can't run an archive; each reason names the change to make in the archive. */
export function functionArchiveProblems(
  archive: Pick<ModelArchive, 'files' | 'scripts' | 'sizeBytes'>,
  { framework }: Pick<PipelineConfig['model'], 'framework'>,
): readonly string[] {
  const { sizeBytes } = archive;
  return [
    ...ARCHIVES[framework].functionProblems(archive),
    ...(sizeBytes > MOST_ARCHIVE_BYTES
      ? [
          `has ${toSize(sizeBytes)}, and a function with ${PREDICT_MEMORY_MB} MB takes at most ` +
            `${toSize(MOST_ARCHIVE_BYTES)}: make the model smaller`,
        ]
      : []),
  ];
}
