import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ObjectAccess } from '../../kernel/ports.ts';
import { unpackModel } from '../jobs/unpack-model.ts';
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
  if (containers.length > 1)
    throw new EndpointFailure('Inference pipelines of several containers are not emulated by this stack.');
  const container = input.PrimaryContainer ?? containers[0];
  if (container?.Image === undefined)
    throw new EndpointFailure(
      'Models made of a model package are not emulated by this stack: give the image.',
    );
  if (container.Mode === 'MultiModel')
    throw new EndpointFailure('Multi-model endpoints are not emulated by this stack.');
  if (container.ModelDataSource !== undefined)
    throw new EndpointFailure('ModelDataSource is not emulated by this stack: use ModelDataUrl.');
  await mkdir(workDir, { recursive: true });
  const modelDir = await mkdtemp(join(workDir, 'endpoint-'));
  const remove = (): Promise<void> => rm(modelDir, { recursive: true, force: true });
  try {
    const toFailure = (message: string) => new EndpointFailure(message);
    await unpackModel(objects, container.ModelDataUrl, modelDir, toFailure);
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
