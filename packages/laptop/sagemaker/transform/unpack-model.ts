import { BadModelArchive, unpackModelArchive } from '@inferdrop/model-container/model-archive';
import type { ObjectAccess } from '../../kernel/ports.ts';
import { JobFailure } from '../jobs/job-failure.ts';
import { parseS3Uri } from '../jobs/s3-uri.ts';
import type { ContainerDefinition } from '../model-record.ts';

/**
 * Unpacks a model's archive into a folder; a container without one has nothing to unpack.
 *
 * @throws {JobFailure} where it is missing, or is not an archive
 */
export async function unpackModel(
  objects: ObjectAccess,
  container: ContainerDefinition,
  modelDir: string,
): Promise<void> {
  const url = container.ModelDataUrl;
  if (url === undefined) return;
  const location = parseS3Uri(url);
  const archive =
    location && objects.hasBucket(location.bucket)
      ? await objects.readStream(location.bucket, location.key)
      : undefined;
  if (!archive) {
    throw new JobFailure(
      `ClientError: Failed to download model data for container "container_1" from URL: "${url}". Please ensure that there is an object located at the URL and that the role passed to CreateModel has permissions to download the model.`,
    );
  }
  try {
    await unpackModelArchive(archive, modelDir);
  } catch (error) {
    if (!(error instanceof BadModelArchive)) throw error;
    throw new JobFailure(
      `ClientError: Failed to extract model data archive for container "container_1" from URL "${url}". Please ensure that the object located at the URL is a valid tar.gz archive. (${error.message})`,
    );
  }
}
