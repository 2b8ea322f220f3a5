import { Condition } from '../../src/problem/conditions.ts';

/** Names of the environment variables that `serverless.yml` gives to functions. */
type Name =
  | 'BUCKET_NAME'
  | 'METRICS_NAMESPACE'
  | 'STATE_MACHINE_ARN'
  | 'TRAINING_MACHINE_ARN'
  | 'FAILURE_MACHINE_ARN'
  | 'PREDICT_MACHINE_ARN'
  | 'PREDICT_FUNCTION'
  | 'PREDICT_CONCURRENCY'
  | 'PREDICT_MEMORY_MB'
  | 'AWS_LAMBDA_FUNCTION_MEMORY_SIZE'
  | 'ENDPOINT_MACHINE_ARN'
  | 'ENDPOINT_PREFIX'
  | 'BUCKET_DOMAIN'
  | 'PIPELINES_CLAIM'
  | 'RUNTIME_DOMAIN'
  | 'LAMBDA_DOMAIN'
  | 'SERVE_FUNCTION'
  | 'TOPIC_ARN'
  | 'MODEL_ROLE_ARN'
  | 'TRAINING_ROLE_ARN'
  | 'READ_BUCKET_ARNS'
  | 'INCOMING_RETENTION_DAYS'
  | 'NONCURRENT_RETENTION_DAYS'
  | 'VPC_SUBNET_IDS'
  | 'VPC_SECURITY_GROUP_IDS'
  | 'KMS_KEY_ARN'
  | 'RESOURCE_TAGS'
  | 'AWS_REGION';

/**
 * Reads required variables at once; a list or an optional one may be empty but must be there.
 *
 * @throws {Error} `MissingConfiguration` naming every variable that is not set
 */
export function readEnv<const N extends Name>(...names: readonly N[]): Readonly<Record<N, string>> {
  const { env: set } = process;
  const missing = names.filter((name) => set[name] === undefined);
  const isComplete = (_: object): _ is Record<N, string> => missing.length === 0;
  if (isComplete(set)) return set;
  throw new Condition(
    'MissingConfiguration',
    `environment variables are not set: ${missing.join(', ')}; see infra/*/functions.yml`,
  );
}

/** Reads a required variable. @throws {Error} `MissingConfiguration` */
export function env(name: Name): string {
  return readEnv(name)[name];
}

/** Splits a comma-separated variable; an empty one is an empty list. */
export function toList(text: string): readonly string[] {
  return text.split(',').filter((part) => part !== '');
}

/** Bucket names of a list of bucket ARNs. */
export function toBucketNames(arns: string): readonly string[] {
  return toList(arns).map((arn) => arn.split(':').at(-1) ?? arn);
}
