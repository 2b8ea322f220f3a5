import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { ObjectStore } from '../../aws/object-store.ts';
import type { ModelSpec, SageMaker } from '../../aws/sagemaker.ts';
import type { Plan } from '../../plan/plan.ts';
import { Condition } from '../../problem/conditions.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { RunParts } from '../../run/run-id.ts';
import { toTagValue } from '../../text/tag-value.ts';
import { planJson } from '../records/plan.ts';

export const CreateModelInput = z.object({ run: RunParts });
export const CreateModelOutput = z.object({ modelName: z.string() });

export interface CreateModelServices {
  readonly store: ObjectStore;
  readonly sagemaker: Pick<SageMaker, 'createModel' | 'describeModel'>;
}

/**
 * State `CreateModel`: keeps the archive of the run and makes the SageMaker model that serves it; an equal one is reused.
 *
 * @throws {ModelChanged}
 * @throws {ModelRefused} before any job
 * @throws {ModelNameTaken}
 */
export async function createModel(
  { run }: z.infer<typeof CreateModelInput>,
  { store, sagemaker }: CreateModelServices,
): Promise<z.infer<typeof CreateModelOutput>> {
  const { model } = await planJson(run).require(store);
  const kept = bucketLayout.model(model.sha256);
  await keepArchive(store, model, kept);
  const { name, sha256, executionRoleArn: roleArn, imageUri, environment, vpc, networkIsolation } = model;
  const spec: ModelSpec = {
    name,
    roleArn,
    imageUri,
    artifactUri: `s3://${store.bucket}/${kept}`,
    environment,
    ...(vpc !== null && { vpc }),
    networkIsolation,
    tags: { 'inferdrop:pipeline': toTagValue(run.pipeline), 'inferdrop:sha256': sha256 },
  };
  try {
    await sagemaker.createModel(spec);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if (error.name === 'ValidationException' || error.name === 'NotFound')
      throw new Condition(
        'ModelRefused',
        `SageMaker does not take the model ${model.artifact}: ${error.message}`,
      );
    if (error.name !== 'ResourceInUse') throw error;
    await compareModel(sagemaker, spec);
  }
  return { modelName: name };
}

/**
 * Copies the archive within S3, by version where there is one, and believes the copy once its digest is the plan's. One that
 * is there already is believed no sooner.
 *
 * @throws {ModelChanged}
 */
async function keepArchive(store: ObjectStore, model: Plan['model'], kept: string): Promise<void> {
  if (await holds(store, kept, model.sha256)) return;
  const [, bucket = '', key = ''] = /^s3:\/\/([^/]+)\/(.+)$/.exec(model.artifact) ?? [];
  const { artifactVersion: versionId, artifactEtag: etag } = model;
  try {
    await store.copy({ bucket, key, etag, ...(versionId !== null && { versionId }) }, kept);
  } catch (error) {
    if (error instanceof Error && ['NoSuchKey', 'PreconditionFailed'].includes(error.name))
      throw replaced(model);
    throw error;
  }
  if (!(await holds(store, kept, model.sha256))) throw replaced(model);
}

/** Whether an object's bytes have the digest: by S3's own checksum, or by reading an object of which S3 keeps none. */
async function holds(store: ObjectStore, key: string, sha256: string): Promise<boolean> {
  const found = await store.keptSha256(key);
  if (found !== null) return found === sha256;
  const hash = createHash('sha256');
  for await (const chunk of (await store.readStream(key)) ?? []) hash.update(chunk);
  return hash.digest('hex') === sha256;
}

function replaced({ artifact }: Plan['model']): Condition {
  return new Condition(
    'ModelChanged',
    `${artifact} was replaced while the run was being planned: run it again with inferdrop rerun`,
  );
}

async function compareModel(sagemaker: Pick<SageMaker, 'describeModel'>, spec: ModelSpec): Promise<void> {
  const found = await sagemaker.describeModel(spec.name);
  const differing =
    found === undefined
      ? ['it was deleted meanwhile']
      : [
          ...(found.imageUri === spec.imageUri ? [] : [`image ${found.imageUri}`]),
          ...(found.artifactUri === spec.artifactUri ? [] : [`artifact ${found.artifactUri}`]),
          ...(found.roleArn === spec.roleArn ? [] : [`role ${found.roleArn}`]),
          ...(found.networkIsolation === spec.networkIsolation
            ? []
            : [`network isolation ${String(found.networkIsolation)}`]),
          ...(sameVariables(found.environment, spec.environment) ? [] : ['other environment variables']),
        ];
  if (differing.length === 0) return;
  throw new Condition(
    'ModelNameTaken',
    `SageMaker model ${spec.name} is not ours: ${differing.join(', ')}. Delete it, and run again`,
  );
}

function sameVariables(a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>): boolean {
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return names.values().every((name) => a[name] === b[name]);
}
