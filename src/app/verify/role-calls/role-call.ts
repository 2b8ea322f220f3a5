/**
 * Calls of one role on one resource. A name in braces stands for a value that differs from stack to stack: `{stack}`, `{stage}`,
 * `{partition}`, `{region}`, `{account}`, a parameter of the template, or the physical id of a resource by its logical id.
 */
export interface RoleCall {
  /** Logical id in the template. */
  readonly role: string;
  readonly actions: readonly string[];
  readonly resource: string;
  /** Condition keys with the values of the call. */
  readonly context: Readonly<Record<string, string>>;
}

/** The same calls on the same resource by each of several roles: `callsOf('ModelRole TrainingRole', 's3:GetObject', arn)`. */
export function callsOf(
  roles: string,
  actions: string,
  resource: string,
  context: RoleCall['context'] = {},
): readonly RoleCall[] {
  return roles.split(' ').map((role) => ({ role, actions: actions.split(' '), resource, context }));
}

const OWN = '{region}:{account}';
/** Folder of a run. */
export const RUN = 'runs/a-pipeline/a-drop/000001';
/** Condition key of the tag by which the stack knows its own resources. */
export const OWNER = 'aws:ResourceTag/inferdrop:application';
/** ARN of an endpoint of the stack. */
export const ENDPOINT = `arn:{partition}:sagemaker:${OWN}:endpoint/{stack}-a-pipeline`;
/** ARN of a transform job of a run. */
export const TRANSFORM_JOB = `arn:{partition}:sagemaker:${OWN}:transform-job/inferdrop-a-pipeline-a-drop-1`;
/** ARN of a training job of a run. */
export const TRAINING_JOB = `arn:{partition}:sagemaker:${OWN}:training-job/inferdrop-a-pipeline-a-drop-1`;

/** ARN of an object of the stack's bucket. */
export function objectArn(key: string): string {
  return `arn:{partition}:s3:::{Bucket}/${key}`;
}

/** ARN of a resource of a service, in the stack's region and account. */
export function arnOf(service: string, resource: string): string {
  return `arn:{partition}:${service}:${OWN}:${resource}`;
}
