import type { ObjectStore } from '../../aws/s3/object-store.ts';
import type { Endpoints } from '../../aws/sagemaker/endpoints.ts';
import type { SageMaker } from '../../aws/sagemaker/sagemaker.ts';
import type { EndpointContent } from '../../endpoint/content.ts';
import { endpointKind, toHardware } from '../../endpoint/kinds.ts';
import {
  type EndpointOwner,
  toEndpointConfigName,
  toEndpointModelName,
  toVariantName,
} from '../../endpoint/names.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import type { DeployableRun } from './deployable-run.ts';

/** Content of an endpoint, and the names derived from it. */
export interface NamedContent {
  readonly content: EndpointContent;
  readonly configName: string;
  readonly modelName: string;
  readonly variantName: string;
}

/** Everything that the names of a run's endpoint depend on. */
export function toContent({ plan, planned }: DeployableRun): EndpointContent {
  const { sha256, environment, executionRoleArn, vpc, networkIsolation } = plan.model;
  return {
    model: {
      sha256,
      imageUri: planned.imageUri,
      environment,
      executionRoleArn,
      vpc,
      ...(networkIsolation && { networkIsolation }),
    },
    hardware: toHardware(planned),
    kmsKeyArn: endpointKind(planned.type).hasVolumes(planned) ? plan.transform.kmsKeyArn : null,
  };
}

/** Gives a content its names. */
export function toNamed(owner: EndpointOwner, pipeline: string, content: EndpointContent): NamedContent {
  return {
    content,
    configName: toEndpointConfigName(owner, pipeline, content),
    modelName: toEndpointModelName(owner, pipeline, content),
    variantName: toVariantName(content),
  };
}

interface ContentServices {
  readonly store: Pick<ObjectStore, 'bucket'>;
  readonly sagemaker: Pick<SageMaker, 'createModel' | 'describeModel'>;
  readonly endpoints: Pick<Endpoints, 'createConfig'>;
}

/** Makes the model and the configuration of a content unless they exist: endpoints of the same content share them. */
export async function createContent(
  { content, configName, modelName, variantName }: NamedContent,
  tags: Readonly<Record<string, string>>,
  { store, sagemaker, endpoints }: ContentServices,
): Promise<void> {
  const { model, hardware, kmsKeyArn } = content;
  if ((await sagemaker.describeModel(modelName)) === undefined)
    await unlessTaken(
      sagemaker.createModel({
        name: modelName,
        roleArn: model.executionRoleArn,
        imageUri: model.imageUri,
        artifactUri: `s3://${store.bucket}/${bucketLayout.model(model.sha256)}`,
        environment: model.environment,
        ...(model.vpc !== null && { vpc: model.vpc }),
        networkIsolation: model.networkIsolation ?? false,
        tags,
      }),
    );
  await unlessTaken(
    endpoints.createConfig({ name: configName, variantName, modelName, hardware, kmsKeyArn, tags }),
  );
}

/** Names come from the content, so an existing one is the same. */
export async function unlessTaken(request: Promise<unknown>): Promise<void> {
  try {
    await request;
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'ResourceInUse') throw error;
  }
}
