import * as z from 'zod';
import type { AskedOfRole } from '../kernel/action.ts';
import type { Permission } from '../kernel/permission.ts';
import { keyPermissions } from '../kms/key-permissions.ts';
import { type ResourceKind, toArn } from './arn.ts';
import { findTags } from './require-record.ts';
import type { SageMakerState } from './sagemaker-state.ts';

/** Names in a call of the resources that it is about; anything else that is wrong with them, the actions refuse. */
const Asked = z.looseObject({
  ModelName: z.string().catch(''),
  TransformJobName: z.string().catch(''),
  TrainingJobName: z.string().catch(''),
  EndpointConfigName: z.string().catch(''),
  EndpointName: z.string().catch(''),
  InferenceComponentName: z.string().catch(''),
  ResourceArn: z.string().catch(''),
  ExecutionRoleArn: z.string().optional().catch(undefined),
  RoleArn: z.string().optional().catch(undefined),
  ResourceConfig: z.looseObject({ VolumeKmsKeyId: z.string().optional() }).optional().catch(undefined),
  TransformResources: z.looseObject({ VolumeKmsKeyId: z.string().optional() }).optional().catch(undefined),
  Tags: z.array(z.object({ Key: z.string(), Value: z.string() })).catch([]),
  DeploymentConfig: z.looseObject({ AutoRollbackConfiguration: z.unknown().optional() }).optional().catch({}),
});
type Asked = z.infer<typeof Asked>;

/** Permissions that depend on the input of a call; the Service Authorization Reference lists them. */
export const asking =
  (ask: (input: Asked, action: string) => Permission[]): AskedOfRole =>
  (input, action) =>
    ask(Asked.parse(input), action);

const NAMES = {
  model: 'ModelName',
  'transform-job': 'TransformJobName',
  'training-job': 'TrainingJobName',
  'endpoint-config': 'EndpointConfigName',
  endpoint: 'EndpointName',
  'inference-component': 'InferenceComponentName',
} as const satisfies Record<ResourceKind, keyof Asked>;

/** Permission of calls about one resource that is there. */
export const onOne = (state: SageMakerState, kind: ResourceKind): AskedOfRole =>
  asking((input, action) => [on(state, kind, input, action)]);

/** Permission of calls that list. */
export const onAll: AskedOfRole = (_, action) => [{ action: `sagemaker:${action}`, resource: '*' }];

/** Permissions of calls about the tags of a resource. */
export const onTags = (state: SageMakerState): AskedOfRole =>
  asking(({ ResourceArn: resource, Tags }, action) => {
    const tags = findTags(state, resource)?.tags ?? [];
    const context = { ...tagContext('ResourceTag', tags), ...tagContext('RequestTag', Tags) };
    return [{ action: `sagemaker:${action}`, resource, context }];
  });

/** The action itself, on a resource that is there. */
export function on(state: SageMakerState, kind: ResourceKind, input: Asked, action: string): Permission {
  const resource = toArn(state.site, kind, input[NAMES[kind]]);
  const tags = findTags(state, resource)?.tags ?? [];
  return { action: `sagemaker:${action}`, resource, context: tagContext('ResourceTag', tags) };
}

/** The action itself, on a resource that it makes, and on its tags. */
export function making(
  { site }: SageMakerState,
  kind: ResourceKind,
  input: Asked,
  action: string,
): Permission[] {
  const context = tagContext('RequestTag', input.Tags);
  const create = { action: `sagemaker:${action}`, resource: toArn(site, kind, input[NAMES[kind]]), context };
  return input.Tags.length === 0 ? [create] : [create, { ...create, action: 'sagemaker:AddTags' }];
}

/** The role that SageMaker is handed. */
export function passing({ ExecutionRoleArn, RoleArn: resource = ExecutionRoleArn }: Asked): Permission[] {
  if (resource === undefined) return [];
  return [
    { action: 'iam:PassRole', resource, context: { 'iam:PassedToService': 'sagemaker.amazonaws.com' } },
  ];
}

/** The call names no role, so the caller grants SageMaker the key of the instances' volumes (developer guide, "API Permissions"). */
export function usingKey(
  { site, endpointConfigs }: SageMakerState,
  { EndpointConfigName }: Asked,
): Permission[] {
  const key = endpointConfigs.get(EndpointConfigName)?.input.KmsKeyId;
  return keyPermissions(site, 'sagemaker', key, ['DescribeKey', 'CreateGrant']);
}

/** Permission to use the key of a job's volumes, which the job's role grants, or else the caller (the same table). */
export function usingVolumeKey(
  { site, roles }: SageMakerState,
  key: string | undefined,
  roleArn: string | undefined,
): Permission[] {
  const grant = keyPermissions(site, 'sagemaker', key, ['CreateGrant']);
  const isGranted = roleArn === undefined || (roles?.refusal(roleArn, 'SageMaker', grant) ?? null) === null;
  return isGranted ? [] : grant;
}

/** The alarms that may roll a deployment back. */
export function watchingAlarms({ site }: SageMakerState, { DeploymentConfig }: Asked): Permission[] {
  if (DeploymentConfig?.AutoRollbackConfiguration === undefined) return [];
  const resource = `arn:${site.partition}:cloudwatch:${site.region}:${site.account}:alarm:*`;
  return [{ action: 'cloudwatch:DescribeAlarms', resource }];
}

function tagContext(
  kind: 'ResourceTag' | 'RequestTag',
  tags: readonly { readonly Key: string; readonly Value: string }[],
): Record<string, string | string[]> {
  const values = Object.fromEntries(tags.map(({ Key, Value }) => [`aws:${kind}/${Key}`, Value]));
  if (kind === 'ResourceTag' || tags.length === 0) return values;
  return { ...values, 'aws:TagKeys': tags.map(({ Key }) => Key) };
}
