import { BadModelArchive, unpackModelArchive } from '@inferdrop/model-container/internal/model-archive';
import type { ObjectAccess } from '../../kernel/ports.ts';
import { parseS3Uri } from './s3-uri.ts';

/**
 * Unpacks a model's archive into a folder.
 *
 * @param url undefined for a container without an archive, which has nothing to unpack
 * @param toFailure what to throw where the archive is missing or damaged, with SageMaker's words
 */
export async function unpackModel(
  objects: ObjectAccess,
  url: string | undefined,
  modelDir: string,
  toFailure: (message: string) => Error,
): Promise<void> {
  if (url === undefined) return;
  const location = parseS3Uri(url);
  const archive =
    location && objects.hasBucket(location.bucket)
      ? await objects.readStream(location.bucket, location.key)
      : undefined;
  if (!archive)
    throw toFailure(
      `Failed to download model data for container "container_1" from URL: "${url}". ` +
        'Please ensure that there is an object located at the URL and that the role passed to CreateModel has ' +
        'permissions to download the object.',
    );
  try {
    await unpackModelArchive(archive, modelDir);
  } catch (error) {
    if (!(error instanceof BadModelArchive)) throw error;
    throw toFailure(
      `Failed to extract model data archive for container "container_1" from URL "${url}". Please ensure that the ` +
        `object located at the URL is a valid tar.gz archive. (${error.message})`,
    );
  }
}
