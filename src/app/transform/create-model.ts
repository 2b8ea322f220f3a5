import * as z from 'zod';
import type { ObjectStore } from '../../aws/object-store.ts';
import type { ModelSpec, SageMaker } from '../../aws/sagemaker.ts';
import { bucketLayout } from '../../drop/bucket-layout.ts';
import { RunId } from '../../drop/run-id.ts';
import { toTagValue } from '../../drop/tag-value.ts';
import type { Plan } from '../../plan/plan.ts';
import { requireRun } from '../run/require-run.ts';
import { readPlan } from '../run/run-file.ts';

export const CreateModelInput = z.object({ run: RunId });
export const CreateModelOutput = z.object({ modelName: z.string() });

export interface CreateModelServices {
  readonly store: ObjectStore;
  readonly sagemaker: Pick<SageMaker, 'createModel' | 'describeModel'>;
}

/** The archive was replaced between plan and copy. */
class ModelChanged extends Error {
  override readonly name = 'ModelChanged';
}

/** A SageMaker model of our name serves something else. */
class ModelNameTaken extends Error {
  override readonly name = 'ModelNameTaken';
}

/**
 * State `CreateModel`: keeps the archive of the run and makes the SageMaker model that serves it; an equal one is reused.
 *
 * @throws {ModelChanged}
 * @throws {ModelNameTaken}
 */
export async function createModel(
  input: z.infer<typeof CreateModelInput>,
  { store, sagemaker }: CreateModelServices,
): Promise<z.infer<typeof CreateModelOutput>> {
  const run = requireRun(input.run);
  const { model } = await readPlan(store, run);
  const kept = bucketLayout.model(model.sha256);
  if ((await store.describe(kept)) === undefined) await keepArchive(store, model, kept);
  const { name, sha256, executionRoleArn: roleArn, imageUri, environment, vpc } = model;
  const spec: ModelSpec = {
    name,
    roleArn,
    imageUri,
    artifactUri: `s3://${store.bucket}/${kept}`,
    environment,
    ...(vpc !== null && { vpc }),
    tags: { 'inferdrop:pipeline': toTagValue(run.pipeline), 'inferdrop:sha256': sha256 },
  };
  try {
    await sagemaker.createModel(spec);
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'ResourceInUse') throw error;
    await compareModel(sagemaker, spec);
  }
  return { modelName: name };
}

/** Copies within S3, by version where there is one, so that the digest in the plan is that of the copy. */
async function keepArchive(store: ObjectStore, model: Plan['model'], kept: string): Promise<void> {
  const [, bucket = '', key = ''] = /^s3:\/\/([^/]+)\/(.+)$/.exec(model.artifact) ?? [];
  if (model.artifactVersion !== null) {
    await store.copy({ bucket, key, versionId: model.artifactVersion }, kept);
    return;
  }
  const now = await store.in(bucket).describe(key);
  if (now?.etag !== model.artifactEtag) {
    throw new ModelChanged(
      `${model.artifact} was replaced while the run was being planned: run it again with inferdrop rerun`,
    );
  }
  await store.copy({ bucket, key }, kept);
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
          ...(sameVariables(found.environment, spec.environment) ? [] : ['other environment variables']),
        ];
  if (differing.length === 0) return;
  throw new ModelNameTaken(
    `SageMaker model ${spec.name} is not ours: ${differing.join(', ')}. Delete it, and run again`,
  );
}

function sameVariables(a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>): boolean {
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return names.values().every((name) => a[name] === b[name]);
}
