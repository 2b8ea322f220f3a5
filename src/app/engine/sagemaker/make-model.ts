import type { ObjectStore } from '../../../aws/s3/object-store.ts';
import type { ModelSpec, SageMaker } from '../../../aws/sagemaker/sagemaker.ts';
import type { Plan } from '../../../plan/plan.ts';
import { Condition } from '../../../problem/conditions.ts';
import { bucketLayout } from '../../../run/bucket-layout.ts';
import type { RunParts } from '../../../run/run-id.ts';
import { toTagValue } from '../../../text/tag-value.ts';
import type { PrepareForEngine } from '../engine.ts';

/** Calls that making a model makes. */
export type ModelCalls = Pick<SageMaker, 'createModel' | 'describeModel'>;

/** Makes a SageMaker model of the archive that is stored under its digest; an equal one is reused. */
export function makeModel({ bucket }: Pick<ObjectStore, 'bucket'>, sagemaker: ModelCalls): PrepareForEngine {
  return (run, { model }) => makeModelOf({ run, model, bucket }, sagemaker);
}

async function makeModelOf(
  { run, model, bucket }: { readonly run: RunParts; readonly model: Plan['model']; readonly bucket: string },
  sagemaker: ModelCalls,
): Promise<string> {
  const { name, sha256, executionRoleArn: roleArn, imageUri, environment, vpc, networkIsolation } = model;
  const spec: ModelSpec = {
    name,
    roleArn,
    imageUri,
    artifactUri: `s3://${bucket}/${bucketLayout.model(sha256)}`,
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
  return name;
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
