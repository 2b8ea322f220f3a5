import type { ObjectStore } from '../../../aws/s3/object-store.ts';
import { unreadable } from '../../../drop/drop-input.ts';
import { kindFor } from '../../../endpoints/kinds.ts';
import { readArchive } from '../../../model/read-archive.ts';
import type { PipelineConfig } from '../../../pipeline/pipeline-config.ts';
import { toShownValue } from '../../../pipeline/shown-value.ts';
import { servedArchive } from '../../../plan/endpoint/served-archive.ts';
import type { FoundModel, Original } from '../../../plan/found.ts';
import { bucketLayout } from '../../../run/bucket-layout.ts';
import { type RunParts, toRunId } from '../../../run/run-id.ts';
import { parseS3Uri } from '../../../text/s3-uri.ts';
import { quoted } from '../../../text/shell-quoted.ts';

/**
 * Folders of the application's own bucket that a pipeline may take its model from. Archives are stored by digest: knowing the digest is
 * enough to use one.
 */
function modelFolders(pipeline: string): string[] {
  return [bucketLayout.pipelineFolder('pipelines', pipeline), bucketLayout.shared(), bucketLayout.models()];
}

/** Reads the model's archive once: its digest, its files, its signature and its scripts. */
export async function readModel(
  store: ObjectStore,
  run: RunParts,
  { config, readBuckets }: { readonly config: PipelineConfig; readonly readBuckets: readonly string[] },
): Promise<FoundModel> {
  const { model, training } = config;
  const artifact = model.artifact ?? `s3://${store.bucket}/${bucketLayout.pipelineModel(run.pipeline)}`;
  const { bucket = '', key = '' } = parseS3Uri(artifact) ?? {};
  const about = (message: string): FoundModel => ({
    artifact,
    problems: [
      { file: 'pipeline.json', field: 'model.artifact', value: toShownValue(model.artifact), message },
    ],
  });
  const places = { ownBucket: store.bucket, ownFolders: modelFolders(run.pipeline), readBuckets };
  const wrong = unreadable({ bucket, key, uri: artifact }, places);
  if (wrong !== undefined) return about(wrong);
  const found = await store.in(bucket).open(key);
  if (found === undefined) {
    const upload = `upload it with aws s3 cp model.tar.gz ${artifact}`;
    return about(
      training === null || model.artifact !== null
        ? `points to ${artifact}, which does not exist: ${upload}`
        : `is null, and ${artifact} does not exist yet: ${upload}, or train it with inferdrop train ${run.pipeline}. ` +
            `The files of this drop are frozen: once there is a model, inferdrop rerun ${quoted(toRunId(run))} predicts ` +
            'them',
    );
  }
  const { etag, versionId } = found;
  const place = { bucket, key, etag, ...(versionId !== undefined && { versionId }) };
  return { artifact, place, archive: await readArchive(found.body), problems: [] };
}

/** The model of an earlier run; its archive is read again only if a function is to serve it now. */
export async function readKeptModel(
  store: ObjectStore,
  { endpoint }: Pick<PipelineConfig, 'endpoint'>,
  { plan: { model } }: Original,
): Promise<FoundModel> {
  const kept = { artifact: model.artifact, problems: [] };
  if (endpoint.deploy === 'never' || !kindFor(endpoint).runsInFunctions) return kept;
  const found = await store.open(bucketLayout.model(servedArchive(model).sha256));
  return found === undefined ? kept : { ...kept, archive: await readArchive(found.body) };
}
