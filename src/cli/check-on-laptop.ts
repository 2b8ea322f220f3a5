import { randomUUID } from 'node:crypto';
import { parsePipelineConfig } from '../pipeline/parse-config.ts';
import { resolveImages } from '../plan/resolve-images.ts';
import { bucketLayout } from '../run/bucket-layout.ts';
import { type Application, laptopInUse } from './application.ts';
import { Refusal } from './refusal.ts';

/**
 * Checks, before any upload, whether the stack on this machine can run a pipeline's model: its CreateModel inspects the archive
 * and keeps the result for the run. AWS runs every model, so it is not asked there; problems that both have are reported by the
 * plan, with all others.
 *
 * @throws {Refusal} with the operation or the package, and the remedy
 */
export async function checkOnLaptop(
  { store, bucket, sagemaker }: Pick<Application, 'store' | 'bucket' | 'sagemaker'>,
  pipeline: string,
): Promise<void> {
  const endpoint = laptopInUse();
  const text =
    endpoint === undefined ? undefined : await store.readText(bucketLayout.pipelineConfig(pipeline));
  const parsed = text === undefined ? undefined : parsePipelineConfig(text);
  if (parsed === undefined || !('value' in parsed) || parsed.value === undefined) return;
  const { model } = parsed.value;
  const { imageUri } = resolveImages(parsed.value, process.env.AWS_REGION ?? '');
  if (imageUri === undefined) return;
  const name = `inferdrop-check-${randomUUID()}`;
  try {
    await sagemaker.createModel({
      name,
      imageUri,
      artifactUri: model.artifact ?? `s3://${bucket}/${bucketLayout.pipelineModel(pipeline)}`,
      environment: model.environment,
      networkIsolation: model.networkIsolation,
    });
  } catch (error) {
    // Only these names: the text of another error could look like a reason.
    if (!(error instanceof Error) || !['ValidationException', 'NotFound'].includes(error.name)) throw error;
    throw new Refusal(`pipeline ${pipeline} at ${endpoint}: ${error.message}. Nothing was uploaded`);
  }
  await sagemaker.deleteModel(name);
}
