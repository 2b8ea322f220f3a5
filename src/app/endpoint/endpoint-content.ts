import type { ObjectStore } from '../../aws/s3/object-store.ts';
import type { Endpoints } from '../../aws/sagemaker/endpoints.ts';
import type { SageMaker } from '../../aws/sagemaker/sagemaker.ts';
import type { EndpointContent } from '../../endpoint/content.ts';
import {
  type EndpointOwner,
  toEndpointConfigName,
  toEndpointModelName,
  toVariantName,
} from '../../endpoint/names.ts';
import type { FunctionModel } from '../../endpoints/function/function-model.ts';
import { endpointKind, kindFor } from '../../endpoints/kinds.ts';
import { servedArchive } from '../../plan/endpoint/served-archive.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import type { DeployableRun } from './deployable-run.ts';
import { unlessTaken } from './unless-taken.ts';

/** Content of an endpoint, and the names derived from it. */
export interface NamedContent {
  readonly content: EndpointContent;
  readonly configName: string;
  readonly modelName: string;
  readonly variantName: string;
}

/** Everything that the names of a run's endpoint depend on. */
export function toContent({ plan, planned }: DeployableRun): EndpointContent {
  const { environment, executionRoleArn, vpc, networkIsolation } = plan.model;
  return {
    model: {
      sha256: servedArchive(plan.model).sha256,
      imageUri: planned.imageUri,
      environment,
      executionRoleArn,
      vpc,
      ...(networkIsolation && { networkIsolation }),
    },
    hardware: kindFor(planned).toHardware(planned),
    kmsKeyArn: kindFor(planned).hasVolumes(planned) ? plan.transform.kmsKeyArn : null,
  };
}

/** Gives a content its names. */
export function toNamed(owner: EndpointOwner, pipeline: string, content: EndpointContent): NamedContent {
  const configName = toEndpointConfigName(owner, pipeline, content);
  return {
    content,
    configName,
    modelName: toEndpointModelName(owner, pipeline, content),
    // An inference component has the name of its content, and is called by it.
    variantName: endpointKind(content.hardware.kind).hostsComponents ? configName : toVariantName(content),
  };
}

interface ContentServices {
  readonly store: Pick<ObjectStore, 'bucket'>;
  readonly sagemaker: Pick<SageMaker, 'createModel' | 'describeModel'>;
  readonly endpoints: Pick<Endpoints, 'createConfig'>;
}

/** The model that a function answers for; null if SageMaker does. */
export function functionModelOf({ model, hardware }: EndpointContent): FunctionModel | null {
  const { sha256, imageUri, environment } = model;
  return endpointKind(hardware.kind).runsInFunctions ? { sha256, imageUri, environment } : null;
}

/** Makes the model and the configuration of a content unless they exist: endpoints of the same content share them. */
export async function createContent(
  { content, configName, modelName, variantName }: NamedContent,
  tags: Readonly<Record<string, string>>,
  { store, sagemaker, endpoints }: ContentServices,
): Promise<void> {
  const { hardware, kmsKeyArn } = content;
  const functionModel = functionModelOf(content);
  if (functionModel === null) await createModel({ content, modelName }, tags, { store, sagemaker });
  const config = { name: configName, variantName, modelName, hardware, kmsKeyArn, tags };
  await unlessTaken(endpoints.createConfig({ ...config, ...(functionModel !== null && { functionModel }) }));
}

/** Makes the model of a content unless it exists. */
export async function createModel(
  { content: { model }, modelName }: Pick<NamedContent, 'content' | 'modelName'>,
  tags: Readonly<Record<string, string>>,
  { store, sagemaker }: Pick<ContentServices, 'store' | 'sagemaker'>,
): Promise<void> {
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
}
