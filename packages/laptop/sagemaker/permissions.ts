import * as z from 'zod';
import type { Permission, RoleSessions } from '../kernel/permission.ts';
import type { ActionPermissions } from '../kernel/service.ts';
import { keyPermissions } from '../kms/key-permissions.ts';
import type { ResourceKind } from './arn.ts';
import { toArn } from './arn.ts';
import { findTags } from './require-record.ts';
import type { SageMakerState } from './sagemaker-state.ts';

/** What calls say of the resources they are about; anything else that is wrong with them, the actions refuse. */
const Asked = z.looseObject({
  ModelName: z.string().catch(''),
  TransformJobName: z.string().catch(''),
  TrainingJobName: z.string().catch(''),
  EndpointConfigName: z.string().catch(''),
  EndpointName: z.string().catch(''),
  ResourceArn: z.string().catch(''),
  ExecutionRoleArn: z.string().optional().catch(undefined),
  RoleArn: z.string().optional().catch(undefined),
  ResourceConfig: z.looseObject({ VolumeKmsKeyId: z.string().optional() }).optional().catch(undefined),
  TransformResources: z.looseObject({ VolumeKmsKeyId: z.string().optional() }).optional().catch(undefined),
  Tags: z.array(z.object({ Key: z.string(), Value: z.string() })).catch([]),
  DeploymentConfig: z.looseObject({ AutoRollbackConfiguration: z.unknown().optional() }).optional().catch({}),
});
type Asked = z.infer<typeof Asked>;

/** What each call asks of a role, as the Service Authorization Reference lists it. */
export function sageMakerPermissions(
  state: SageMakerState,
  /** Without them every role may grant every key. */
  roles?: RoleSessions,
): ActionPermissions {
  const { site } = state;
  const on = (kind: ResourceKind, name: string, action: string): Permission => {
    const resource = toArn(site, kind, name);
    return { action: `sagemaker:${action}`, resource, context: tagContext('ResourceTag', tagsOf(resource)) };
  };
  const tagsOf = (arn: string) => findTags(state, arn)?.tags ?? [];
  const making = (kind: ResourceKind, name: string, action: string, { Tags }: Asked): Permission[] => {
    const resource = toArn(site, kind, name);
    const context = tagContext('RequestTag', Tags);
    const create = { action: `sagemaker:${action}`, resource, context };
    return Tags.length === 0 ? [create] : [create, { ...create, action: 'sagemaker:AddTags' }];
  };
  const passing = ({ ExecutionRoleArn, RoleArn: resource = ExecutionRoleArn }: Asked): Permission[] =>
    resource === undefined
      ? []
      : [{ action: 'iam:PassRole', resource, context: { 'iam:PassedToService': 'sagemaker.amazonaws.com' } }];
  // The call names no role, so the caller grants SageMaker the key of the instances' volumes (developer guide, "API Permissions").
  const usingKey = (configName: string): Permission[] =>
    keyPermissions(site, 'sagemaker', state.endpointConfigs.get(configName)?.input.KmsKeyId, [
      'DescribeKey',
      'CreateGrant',
    ]);
  // Of a job's volumes it is the job's role that grants it, or else the caller (the same table).
  const usingVolumeKey = (key: string | undefined, roleArn: string | undefined): Permission[] => {
    const grant = keyPermissions(site, 'sagemaker', key, ['CreateGrant']);
    const isGranted = roleArn === undefined || (roles?.refusal(roleArn, 'SageMaker', grant) ?? null) === null;
    return isGranted ? [] : grant;
  };
  const listing = (action: string) => () => [{ action: `sagemaker:${action}`, resource: '*' }];
  const tagging = (action: string, { ResourceArn: resource, Tags }: Asked): Permission[] => {
    const context = { ...tagContext('ResourceTag', tagsOf(resource)), ...tagContext('RequestTag', Tags) };
    return [{ action: `sagemaker:${action}`, resource, context }];
  };
  const asked = (ask: (input: Asked) => Permission[]) => (input: unknown) => ask(Asked.parse(input));

  return {
    AddTags: asked((input) => tagging('AddTags', input)),
    ListTags: asked((input) => tagging('ListTags', input)),
    CreateModel: asked((input) => [
      ...making('model', input.ModelName, 'CreateModel', input),
      ...passing(input),
    ]),
    DescribeModel: asked(({ ModelName }) => [on('model', ModelName, 'DescribeModel')]),
    DeleteModel: asked(({ ModelName }) => [on('model', ModelName, 'DeleteModel')]),
    ListModels: listing('ListModels'),
    ListTransformJobs: listing('ListTransformJobs'),
    CreateTransformJob: asked((input) => [
      ...making('transform-job', input.TransformJobName, 'CreateTransformJob', input),
      ...usingVolumeKey(
        input.TransformResources?.VolumeKmsKeyId,
        state.models.get(input.ModelName)?.input.ExecutionRoleArn,
      ),
    ]),
    ListTrainingJobs: listing('ListTrainingJobs'),
    CreateTrainingJob: asked((input) => [
      ...making('training-job', input.TrainingJobName, 'CreateTrainingJob', input),
      ...passing(input),
      ...usingVolumeKey(input.ResourceConfig?.VolumeKmsKeyId, input.RoleArn),
    ]),
    DescribeTrainingJob: asked(({ TrainingJobName }) => [
      on('training-job', TrainingJobName, 'DescribeTrainingJob'),
    ]),
    StopTrainingJob: asked(({ TrainingJobName }) => [on('training-job', TrainingJobName, 'StopTrainingJob')]),
    DeleteTrainingJob: asked(({ TrainingJobName }) => [
      on('training-job', TrainingJobName, 'DeleteTrainingJob'),
    ]),
    DescribeTransformJob: asked(({ TransformJobName }) => [
      on('transform-job', TransformJobName, 'DescribeTransformJob'),
    ]),
    StopTransformJob: asked(({ TransformJobName }) => [
      on('transform-job', TransformJobName, 'StopTransformJob'),
    ]),
    CreateEndpointConfig: asked((input) => [
      ...making('endpoint-config', input.EndpointConfigName, 'CreateEndpointConfig', input),
      ...passing(input),
    ]),
    DescribeEndpointConfig: asked(({ EndpointConfigName }) => [
      on('endpoint-config', EndpointConfigName, 'DescribeEndpointConfig'),
    ]),
    DeleteEndpointConfig: asked(({ EndpointConfigName }) => [
      on('endpoint-config', EndpointConfigName, 'DeleteEndpointConfig'),
    ]),
    ListEndpointConfigs: listing('ListEndpointConfigs'),
    CreateEndpoint: asked((input) => [
      ...making('endpoint', input.EndpointName, 'CreateEndpoint', input),
      on('endpoint-config', input.EndpointConfigName, 'CreateEndpoint'),
      ...usingKey(input.EndpointConfigName),
    ]),
    DescribeEndpoint: asked(({ EndpointName }) => [on('endpoint', EndpointName, 'DescribeEndpoint')]),
    UpdateEndpoint: asked(({ EndpointName, EndpointConfigName, DeploymentConfig }) => [
      on('endpoint', EndpointName, 'UpdateEndpoint'),
      on('endpoint-config', EndpointConfigName, 'UpdateEndpoint'),
      ...usingKey(EndpointConfigName),
      ...(DeploymentConfig?.AutoRollbackConfiguration === undefined
        ? []
        : [
            {
              action: 'cloudwatch:DescribeAlarms',
              resource: `arn:${site.partition}:cloudwatch:${site.region}:${site.account}:alarm:*`,
            },
          ]),
    ]),
    DeleteEndpoint: asked(({ EndpointName }) => [on('endpoint', EndpointName, 'DeleteEndpoint')]),
    ListEndpoints: listing('ListEndpoints'),
  };
}

function tagContext(
  kind: 'ResourceTag' | 'RequestTag',
  tags: readonly { readonly Key: string; readonly Value: string }[],
): Record<string, string | string[]> {
  const values = Object.fromEntries(tags.map(({ Key, Value }) => [`aws:${kind}/${Key}`, Value]));
  if (kind === 'ResourceTag' || tags.length === 0) return values;
  return { ...values, 'aws:TagKeys': tags.map(({ Key }) => Key) };
}
