import { randomUUID } from 'node:crypto';
import { bucketLayout } from '../run/bucket-layout.ts';
import { parsePipelineConfig } from '../pipeline/parse-config.ts';
import { resolveImages } from '../plan/resolve-images.ts';
import type { Application } from './application.ts';
import { laptopInUse } from './application.ts';
import { UsageError } from './usage-error.ts';

/**
 * Asks, before anything is uploaded, whether the stack on this machine can run a pipeline's model: its CreateModel looks at the
 * archive, and remembers what it found for the run. AWS runs every model, so there it is not asked; what is wrong in both is said
 * by the plan, with all else.
 *
 * @throws {UsageError} with the operation or the package, and the remedy
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
    // What a reason says may be taken for the words of an error of another name.
    if (!(error instanceof Error) || !['ValidationException', 'NotFound'].includes(error.name)) throw error;
    throw new UsageError(`pipeline ${pipeline} at ${endpoint}: ${error.message}. Nothing was uploaded`);
  }
  await sagemaker.deleteModel(name);
}
