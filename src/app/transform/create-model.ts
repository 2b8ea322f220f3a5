import * as z from 'zod';
import type { ObjectStore } from '../../aws/object-store.ts';
import type { ModelSpec, SageMaker } from '../../aws/sagemaker.ts';
import type { Plan } from '../../plan/plan.ts';
import { Condition } from '../../problem/conditions.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { RunParts } from '../../run/run-id.ts';
import { toTagValue } from '../../text/tag-value.ts';
import { planJson } from '../records/plan.ts';
import { keepArchive } from '../run/keep-archive.ts';
import { useCase } from '../use-case.ts';

interface CreateModelServices {
  readonly store: ObjectStore;
  readonly sagemaker: Pick<SageMaker, 'createModel' | 'describeModel'>;
}

/**
 * State `CreateModel`: stores the archive of the run and makes a SageMaker model of it; an equal one is reused.
 *
 * @throws {ModelChanged}
 * @throws {ModelRefused} before any job
 * @throws {ModelNameTaken}
 */
export const createModel = useCase({
  /** Sent by state `CreateModel`; the model is the plan's. */
  input: z.object({ run: RunParts }),
  /** Name of the SageMaker model, for people: jobs take it from the plan. */
  output: z.object({ modelName: z.string() }),
})(async ({ run }, { store, sagemaker }: CreateModelServices) => {
  const { model } = await planJson(run).require(store);
  const kept = bucketLayout.model(model.sha256);
  const { artifactVersion: versionId, artifactEtag: etag } = model;
  const [, bucket = '', key = ''] = /^s3:\/\/([^/]+)\/(.+)$/.exec(model.artifact) ?? [];
  const source = { bucket, key, etag, ...(versionId !== null && { versionId }) };
  if (!(await keepArchive(store, model.sha256, source))) throw replaced(model);
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
});

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
