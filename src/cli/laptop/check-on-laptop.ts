import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { parsePipelineConfig } from '../../pipeline/parse-config.ts';
import type { PipelineConfig } from '../../pipeline/pipeline-config.ts';
import { resolveImages } from '../../plan/resolve-images.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { type Application, laptopInUse } from '../application.ts';
import { Refusal } from '../refusal.ts';

/**
 * Checks, before any upload, whether the stack on this machine can run a pipeline's model: its CreateModel inspects the archive and keeps
 * the result for the run. AWS runs every model, so nothing is checked there; problems that both would have are reported by the plan, with
 * all others.
 *
 * @throws {Refusal} with the operation or the package, and the remedy
 */
export async function checkOnLaptop({ store, bucket, sagemaker }: Checking, pipeline: string): Promise<void> {
  const text =
    laptopInUse() === undefined ? undefined : await store.readText(bucketLayout.pipelineConfig(pipeline));
  const parsed = text === undefined ? undefined : parsePipelineConfig(text);
  if (parsed === undefined || !('value' in parsed) || parsed.value === undefined) return;
  const artifact = parsed.value.model.artifact ?? `s3://${bucket}/${bucketLayout.pipelineModel(pipeline)}`;
  await tryModel(sagemaker, pipeline, parsed.value, artifact);
}

/**
 * Makes the same check before a pipeline is uploaded; meanwhile the archive lies in the bucket beside the one in use.
 *
 * @throws {Refusal}
 */
export async function checkBeforePut(
  { store, bucket, sagemaker }: Checking,
  pipeline: string,
  config: PipelineConfig,
  archive: string | undefined,
): Promise<void> {
  if (laptopInUse() === undefined) return;
  if (config.model.artifact !== null) return tryModel(sagemaker, pipeline, config, config.model.artifact);
  if (archive === undefined) return;
  const key = bucketLayout.pipelineFile(pipeline, `model-${randomUUID()}.tar.gz`);
  await store.writeStream(key, createReadStream(archive));
  try {
    await tryModel(sagemaker, pipeline, config, `s3://${bucket}/${key}`);
  } finally {
    await store.delete(key);
  }
}

type Checking = Pick<Application, 'store' | 'bucket' | 'sagemaker'>;

async function tryModel(
  sagemaker: Application['sagemaker'],
  pipeline: string,
  config: PipelineConfig,
  artifactUri: string,
): Promise<void> {
  const { imageUri } = resolveImages(config, process.env.AWS_REGION ?? '');
  if (imageUri === undefined) return;
  const { environment, networkIsolation } = config.model;
  const name = `inferdrop-check-${randomUUID()}`;
  try {
    await sagemaker.createModel({ name, imageUri, artifactUri, environment, networkIsolation });
  } catch (error) {
    // Only these names: the text of another error could look like a reason.
    if (!(error instanceof Error) || !['ValidationException', 'NotFound'].includes(error.name)) throw error;
    throw new Refusal(
      `pipeline ${pipeline} at ${laptopInUse() ?? ''}: ${error.message}. Nothing was uploaded`,
    );
  }
  await sagemaker.deleteModel(name);
}
