import { AwsError, validationException } from '../kernel/aws-error.ts';
import { toArn } from './arn.ts';
import type { ComponentRecord } from './component/component-record.ts';
import type { EndpointConfigRecord } from './endpoint/endpoint-config-record.ts';
import type { EndpointRecord } from './endpoint/endpoint-record.ts';
import type { ModelRecord } from './model-record.ts';
import type { SageMakerState } from './sagemaker-state.ts';
import type { Tags } from './tags.ts';
import type { TrainingJobRecord } from './training/training-job-record.ts';
import type { TransformJobRecord } from './transform-job-record.ts';

/** @throws {AwsError} `ValidationException`, as the service answers for models that are not there */
export function requireModel(state: SageMakerState, name: string): ModelRecord {
  const model = state.models.get(name);
  if (!model) throw validationException(`Could not find model "${toArn(state.site, 'model', name)}".`);
  return model;
}

/** @throws {AwsError} `ResourceNotFound`, as the API's model lists it for DescribeTransformJob */
export function requireJob(state: SageMakerState, name: string): TransformJobRecord {
  const job = state.jobs.get(name);
  if (!job) throw new AwsError('ResourceNotFound', `Could not find transform job: ${name}`);
  return job;
}

/** @throws {AwsError} `ValidationException`, as observed, although the API's model lists `ResourceNotFound` */
export function requireTrainingJob(state: SageMakerState, name: string): TrainingJobRecord {
  const job = state.trainingJobs.get(name);
  if (!job) throw validationException('Requested resource not found.');
  return job;
}

/** @throws {AwsError} `ValidationException`, as the service answers for configurations that are not there */
export function requireEndpointConfig(state: SageMakerState, name: string): EndpointConfigRecord {
  const config = state.endpointConfigs.get(name);
  if (config) return config;
  const arn = toArn(state.site, 'endpoint-config', name);
  throw validationException(`Could not find endpoint configuration "${arn}".`);
}

/** @throws {AwsError} `ValidationException`, which the waiter `EndpointDeleted` takes as success */
export function requireEndpoint(state: SageMakerState, name: string): EndpointRecord {
  const endpoint = state.endpoints.get(name);
  if (endpoint) return endpoint;
  throw validationException(`Could not find endpoint "${toArn(state.site, 'endpoint', name)}".`);
}

/** @throws {AwsError} `ValidationException`, in the words that Terraform's provider waits for */
export function requireComponent(state: SageMakerState, name: string): ComponentRecord {
  const component = state.inferenceComponents.get(name);
  if (component) return component;
  throw validationException(
    `Could not find inference component "${toArn(state.site, 'inference-component', name)}".`,
  );
}

/** @throws {AwsError} `ValidationException` if SageMaker may not assume the role for a resource */
export function requireTrust(state: SageMakerState, sourceArn: string, roleArn: string): void {
  if (state.access.mayAssume({ service: 'sagemaker.amazonaws.com', sourceArn }, roleArn)) return;
  throw validationException(
    `Could not assume role ${roleArn}. Please ensure that the role exists and allows principal ` +
      `'sagemaker.amazonaws.com' to assume the role.`,
  );
}

interface Tagged {
  readonly tags: Tags;
  setTags(tags: Tags): void;
}

/** @throws {AwsError} `ValidationException` if the ARN names no resource of this stack */
export function findByArn(state: SageMakerState, arn: string): Tagged {
  const found = findTags(state, arn);
  if (found) return found;
  throw validationException(`Could not find resource ${arn}`);
}

/** Tags of any resource; undefined if the ARN names none. */
export function findTags(state: SageMakerState, arn: string): Tagged | undefined {
  for (const model of state.models.values()) {
    if (model.arn !== arn) continue;
    const setTags = (tags: Tags): void =>
      state.models.set(model.input.ModelName, { ...model, input: { ...model.input, Tags: tags } });
    return { tags: model.input.Tags ?? [], setTags };
  }
  for (const job of state.jobs.values()) {
    if (job.arn !== arn) continue;
    const setTags = (tags: Tags): void =>
      state.jobs.set(job.input.TransformJobName, { ...job, input: { ...job.input, Tags: tags } });
    return { tags: job.input.Tags ?? [], setTags };
  }
  for (const job of state.trainingJobs.values()) {
    if (job.arn !== arn) continue;
    const setTags = (tags: Tags): void =>
      state.trainingJobs.set(job.input.TrainingJobName, { ...job, input: { ...job.input, Tags: tags } });
    return { tags: job.input.Tags ?? [], setTags };
  }
  for (const config of state.endpointConfigs.values()) {
    if (config.arn !== arn) continue;
    const setTags = (tags: Tags): void =>
      state.endpointConfigs.set(config.input.EndpointConfigName, {
        ...config,
        input: { ...config.input, Tags: tags },
      });
    return { tags: config.input.Tags ?? [], setTags };
  }
  for (const endpoint of state.endpoints.values()) {
    if (endpoint.arn !== arn) continue;
    const setTags = (tags: Tags): void => state.endpoints.set(endpoint.name, { ...endpoint, tags });
    return { tags: endpoint.tags, setTags };
  }
  for (const component of state.inferenceComponents.values()) {
    if (component.arn !== arn) continue;
    const setTags = (tags: Tags): void =>
      state.inferenceComponents.set(component.input.InferenceComponentName, { ...component, tags });
    return { tags: component.tags, setTags };
  }
  return undefined;
}
