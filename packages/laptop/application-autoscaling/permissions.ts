import * as z from 'zod';
import type { Permission } from '../kernel/permission.ts';
import type { ActionPermissions } from '../kernel/service.ts';
import type { AutoscalingState } from './autoscaling-state.ts';
import { LINKED_SERVICE, linkedRoleArn } from './linked-role.ts';

const Asked = z.looseObject({
  ServiceNamespace: z.string().catch(''),
  ResourceId: z.string().catch(''),
});

/** Names that no policy can foresee: AWS tries some calls on resources that do not exist. */
const NO_RESOURCE = '7f4e1944-1817-4891-9bef-e055a90787a4';

/**
 * What calls ask of a role. Targets have ARNs that only the service makes up, so policies can name them by `*` alone.
 *
 * Beside its own action each call asks for what AWS tries with the caller's rights: the user guide's "Permissions validation for API
 * calls on target resources" describes the calls (those on alarms name none), its "Example policies" list them for SageMaker.
 * That `DescribeEndpointConfig` names a configuration made up for the purpose was seen in CloudTrail (aws-controllers-k8s/community,
 * issue 2110); of `UpdateEndpointWeightsAndCapacities`, which would change a real endpoint, the same is assumed.
 */
export function autoscalingPermissions({ site, linkedRoles }: AutoscalingState): ActionPermissions {
  const { partition, region, account } = site;
  const arn = (service: string, resource: string): string =>
    `arn:${partition}:${service}:${region}:${account}:${resource}`;
  const triedFirst = (resourceId: string): Permission[] =>
    [
      { action: 'sagemaker:DescribeEndpoint', resource: arn('sagemaker', endpointOf(resourceId)) },
      {
        action: 'sagemaker:DescribeEndpointConfig',
        resource: arn('sagemaker', `endpoint-config/${NO_RESOURCE}`),
      },
      {
        action: 'sagemaker:UpdateEndpointWeightsAndCapacities',
        resource: arn('sagemaker', `endpoint/${NO_RESOURCE}`),
      },
      { action: 'cloudwatch:PutMetricAlarm', resource: arn('cloudwatch', 'alarm:') },
      { action: 'cloudwatch:DescribeAlarms', resource: arn('cloudwatch', 'alarm:*') },
      { action: 'cloudwatch:DeleteAlarms', resource: arn('cloudwatch', 'alarm:') },
    ].map((permission) => ({ ...permission, isTriedFirst: true }));
  const on = (action: string) => (input: unknown) => {
    const { ServiceNamespace, ResourceId } = Asked.parse(input);
    const context = { 'application-autoscaling:service-namespace': ServiceNamespace };
    return [
      {
        action: `application-autoscaling:${action}`,
        resource: arn('application-autoscaling', 'scalable-target/0'),
        context,
      },
      ...triedFirst(ResourceId),
    ];
  };
  const makingRole = (): Permission[] => {
    const resource = linkedRoleArn(site);
    if (linkedRoles.get(resource) !== undefined) return [];
    return [
      { action: 'iam:CreateServiceLinkedRole', resource, context: { 'iam:AWSServiceName': LINKED_SERVICE } },
    ];
  };
  const registering = on('RegisterScalableTarget');
  return {
    RegisterScalableTarget: (input) => [...registering(input), ...makingRole()],
    DeregisterScalableTarget: on('DeregisterScalableTarget'),
    PutScalingPolicy: on('PutScalingPolicy'),
    DeleteScalingPolicy: on('DeleteScalingPolicy'),
  };
}

/** `endpoint/<name>` of `endpoint/<name>/variant/<name>`. */
function endpointOf(resourceId: string): string {
  return resourceId.split('/').slice(0, 2).join('/');
}
