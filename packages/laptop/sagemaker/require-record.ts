import { AwsError, validationException } from '../kernel/aws-error.ts';
import type { Documents } from '../storage/document-file.ts';
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
  return (
    tagsOfInput(state.models, arn, ({ input }) => input.ModelName) ??
    tagsOfInput(state.jobs, arn, ({ input }) => input.TransformJobName) ??
    tagsOfInput(state.trainingJobs, arn, ({ input }) => input.TrainingJobName) ??
    tagsOfInput(state.endpointConfigs, arn, ({ input }) => input.EndpointConfigName) ??
    ownTags(state.endpoints, arn, ({ name }) => name) ??
    ownTags(state.inferenceComponents, arn, ({ input }) => input.InferenceComponentName)
  );
}

/** Tags of a resource that keeps them as it was given them. */
function tagsOfInput<
  T extends { readonly arn: string; readonly input: { readonly Tags?: Tags | undefined } },
>(records: Documents<T>, arn: string, nameOf: (record: T) => string): Tagged | undefined {
  const record = [...records.values()].find((one) => one.arn === arn);
  return (
    record && {
      tags: record.input.Tags ?? [],
      setTags: (Tags) => records.set(nameOf(record), { ...record, input: { ...record.input, Tags } }),
    }
  );
}

function ownTags<T extends { readonly arn: string; readonly tags: Tags }>(
  records: Documents<T>,
  arn: string,
  nameOf: (record: T) => string,
): Tagged | undefined {
  const record = [...records.values()].find((one) => one.arn === arn);
  return record && { tags: record.tags, setTags: (tags) => records.set(nameOf(record), { ...record, tags }) };
}

/** The error where another job has the name. */
export function jobNameTaken(arn: string): AwsError {
  return new AwsError(
    'ResourceInUse',
    `Job name must be unique within an AWS account and region, and a job with this name already exists (${arn})`,
  );
}
