import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { BadModelArchive, unpackModelArchive } from '@inferdrop/model-container/model-archive';
import type { ObjectAccess } from '../../kernel/ports.ts';
import { parseS3Uri } from '../jobs/s3-uri.ts';
import type { ModelRecord } from '../model-record.ts';
import { isAccessDenied } from '../objects-as-role.ts';
import { EndpointFailure } from './endpoint-failure.ts';

/** A model unpacked for its containers. */
export interface PreparedModel {
  readonly image: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly networkIsolation: boolean;
  readonly modelDir: string;
  remove(): Promise<void>;
}

/**
 * Downloads and unpacks a model's archive into a folder of its own below `workDir`.
 *
 * @throws {EndpointFailure} if the model is of a kind that this stack does not run, or its archive is not there or damaged
 */
export async function prepareModel(
  objects: ObjectAccess,
  workDir: string,
  { input }: ModelRecord,
): Promise<PreparedModel> {
  const containers = input.Containers ?? [];
  if (containers.length > 1) {
    throw new EndpointFailure('Inference pipelines of several containers are not emulated by this stack.');
  }
  const container = input.PrimaryContainer ?? containers[0];
  if (container?.Image === undefined) {
    throw new EndpointFailure(
      'Models made of a model package are not emulated by this stack: give the image.',
    );
  }
  if (container.Mode === 'MultiModel') {
    throw new EndpointFailure('Multi-model endpoints are not emulated by this stack.');
  }
  if (container.ModelDataSource !== undefined) {
    throw new EndpointFailure('ModelDataSource is not emulated by this stack: use ModelDataUrl.');
  }
  await mkdir(workDir, { recursive: true });
  const modelDir = await mkdtemp(join(workDir, 'endpoint-'));
  const remove = (): Promise<void> => rm(modelDir, { recursive: true, force: true });
  try {
    if (container.ModelDataUrl !== undefined) await unpack(objects, container.ModelDataUrl, modelDir);
  } catch (error) {
    await remove();
    throw isAccessDenied(error) ? new EndpointFailure(error.message) : error;
  }
  return {
    image: container.Image,
    environment: container.Environment ?? {},
    networkIsolation: input.EnableNetworkIsolation ?? false,
    modelDir,
    remove,
  };
}

async function unpack(objects: ObjectAccess, url: string, modelDir: string): Promise<void> {
  const location = parseS3Uri(url);
  const archive =
    location && objects.hasBucket(location.bucket)
      ? await objects.readStream(location.bucket, location.key)
      : undefined;
  if (!archive) {
    throw new EndpointFailure(
      `Failed to download model data for container "container_1" from URL: "${url}". ` +
        'Please ensure that there is an object located at the URL and that the role passed to CreateModel has permissions to download the object.',
    );
  }
  try {
    await unpackModelArchive(archive, modelDir);
  } catch (error) {
    if (!(error instanceof BadModelArchive)) throw error;
    throw new EndpointFailure(
      `Failed to extract model data archive for container "container_1" from URL "${url}". ` +
        `Please ensure that the object located at the URL is a valid tar.gz archive. (${error.message})`,
    );
  }
}
