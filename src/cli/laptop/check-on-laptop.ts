import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { packArchive } from '../../app/plan/write/pack-archive.ts';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { readArchive } from '../../model/read-archive.ts';
import { parsePipelineConfig } from '../../pipeline/parse-config.ts';
import type { PipelineConfig } from '../../pipeline/pipeline-config.ts';
import { ownHandler } from '../../plan/judge/judge-model.ts';
import { resolveImages } from '../../plan/judge/resolve-images.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { parseS3Uri } from '../../text/s3-uri.ts';
import { type Application, laptopInUse } from '../application.ts';
import { Refusal } from '../refusal.ts';

/**
 * Checks, before any upload, whether the stack on this machine can run a pipeline's model: its CreateModel inspects the archive and keeps
 * the result for the run. AWS runs every model, so nothing is checked there; problems that both would have are reported by the plan, with
 * all others.
 *
 * @throws {Refusal} with the operation or the package, and the remedy
 */
export async function checkOnLaptop(services: Checking, pipeline: string): Promise<void> {
  const { store, bucket } = services;
  const text =
    laptopInUse() === undefined ? undefined : await store.readText(bucketLayout.pipelineConfig(pipeline));
  const parsed = text === undefined ? undefined : parsePipelineConfig(text);
  if (parsed === undefined || !('value' in parsed) || parsed.value === undefined) return;
  const artifact = parsed.value.model.artifact ?? `s3://${bucket}/${bucketLayout.pipelineModel(pipeline)}`;
  await tryModel(services, pipeline, parsed.value, artifact);
}

/**
 * Makes the same check before a pipeline is uploaded; meanwhile the archive lies in the bucket next to the one in use.
 *
 * @throws {Refusal}
 */
export async function checkBeforePut(
  services: Checking,
  pipeline: string,
  config: PipelineConfig,
  archive: string | undefined,
): Promise<void> {
  const { store, bucket } = services;
  if (laptopInUse() === undefined) return;
  if (config.model.artifact !== null) return tryModel(services, pipeline, config, config.model.artifact);
  if (archive === undefined) return;
  const key = bucketLayout.pipelineFile(pipeline, `model-${randomUUID()}.tar.gz`);
  await store.writeStream(key, createReadStream(archive));
  try {
    await tryModel(services, pipeline, config, `s3://${bucket}/${key}`);
  } finally {
    await store.delete(key);
  }
}

type Checking = Pick<Application, 'store' | 'bucket' | 'sagemaker'>;

async function tryModel(
  { store, sagemaker }: Checking,
  pipeline: string,
  config: PipelineConfig,
  artifactUri: string,
): Promise<void> {
  const { imageUri } = resolveImages(config, process.env.AWS_REGION ?? '');
  if (imageUri === undefined) return;
  const { environment, networkIsolation } = config.model;
  const name = `inferdrop-check-${randomUUID()}`;
  const packed = await packForCheck(store, pipeline, config, artifactUri);
  try {
    const tried = packed === undefined ? artifactUri : `s3://${store.bucket}/${packed}`;
    await sagemaker.createModel({ name, imageUri, artifactUri: tried, environment, networkIsolation });
  } catch (error) {
    // Only these names: the text of another error could look like a reason.
    if (!(error instanceof Error) || !['ValidationException', 'NotFound'].includes(error.name)) throw error;
    throw new Refusal(
      `pipeline ${pipeline} at ${laptopInUse() ?? ''}: ${error.message}. Nothing was uploaded`,
    );
  } finally {
    if (packed !== undefined) await store.delete(packed);
  }
  await sagemaker.deleteModel(name);
}

/** Packs an ONNX archive without a handler as the plan of a run does, with inferdrop's; returns its key, undefined for all others. */
async function packForCheck(
  store: ObjectStore,
  pipeline: string,
  { model }: PipelineConfig,
  artifactUri: string,
): Promise<string | undefined> {
  const place = parseS3Uri(artifactUri);
  // Not read if its framework adds none.
  if (place === undefined || ownHandler([], model).length === 0) return undefined;
  const found = await store.in(place.bucket).open(place.key);
  if (found === undefined) return undefined;
  const archive = await readArchive(found.body);
  if ('reason' in archive) return undefined;
  const added = ownHandler(archive.files, model);
  if (added.length === 0) return undefined;
  const key = bucketLayout.pipelineFile(pipeline, `model-${randomUUID()}.tar.gz`);
  await packArchive(store, { ...place, etag: found.etag }, key, added);
  return key;
}
