import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { CheckModel } from '@inferdrop/model-container/internal/check-model';
import type { ObjectAccess } from '../kernel/ports.ts';
import { JobFailure } from './jobs/job-failure.ts';
import { parseS3Uri } from './jobs/s3-uri.ts';
import { unpackModel } from './jobs/unpack-model.ts';
import type { ModelRecord } from './model-record.ts';
import { isAccessDenied } from './objects-as-role.ts';
import type { SageMakerState } from './sagemaker-state.ts';

/** Looks at archives as containers do; what was found of one is remembered as long as the stack is up. */
export function refusedModels({
  objectsOf,
  check,
  workDir,
  imageThatRuns = (image) => image,
}: {
  /** Objects as the role of a model sees them. */
  readonly objectsOf: (model: ModelRecord) => ObjectAccess;
  readonly check: CheckModel;
  readonly workDir: string;
  /** The image that serves a model made for another one. */
  readonly imageThatRuns?: (image: string) => string;
}): SageMakerState['refusalOf'] {
  const known = new Map<string, Promise<string | undefined>>();
  return (model) => {
    const { PrimaryContainer: container, Containers: containers = [] } = model.input;
    const { Image: image, ModelDataUrl: url } = container ?? containers[0] ?? {};
    // Pipelines of several containers and model packages fail the job, with the reason.
    if (image === undefined || url === undefined || containers.length > 1) return Promise.resolve(undefined);
    const key = JSON.stringify([image, contentOf(objectsOf(model), url) ?? url]);
    const found = known.get(key) ?? look(model, { image, url });
    known.set(key, found);
    found.catch(() => known.delete(key));
    return found;
  };

  async function look(
    model: ModelRecord,
    about: { readonly image: string; readonly url: string },
  ): Promise<string | undefined> {
    await mkdir(workDir, { recursive: true });
    const modelDir = await mkdtemp(join(workDir, 'checked-'));
    try {
      await unpackModel(objectsOf(model), about.url, modelDir, (message) => new JobFailure(message));
      return await check({ image: imageThatRuns(about.image), modelDir });
    } catch (error) {
      // An archive that is missing, unreadable for the role or damaged fails the job, as in AWS.
      if (error instanceof JobFailure || isAccessDenied(error)) return undefined;
      throw error;
    } finally {
      await rm(modelDir, { recursive: true, force: true });
    }
  }
}

/** The identity of an archive's content; undefined if it is missing, or the role may not read it. */
function contentOf(objects: ObjectAccess, url: string): readonly (string | number)[] | undefined {
  const place = parseS3Uri(url);
  if (place === undefined || !objects.hasBucket(place.bucket)) return undefined;
  try {
    const found = objects.head(place.bucket, place.key);
    return found && [found.etag, found.size];
  } catch (error) {
    if (isAccessDenied(error)) return undefined;
    throw error;
  }
}
