import * as z from 'zod';
import type { AskedOfRole } from '../kernel/action.ts';
import type { Permission } from '../kernel/permission.ts';
import type { Site } from '../kernel/service.ts';
import { type AutoscalingState, LINKED_SERVICE, linkedRoleArn } from './autoscaling-state.ts';
import { componentOf } from './scalable-target.ts';

const Asked = z.looseObject({
  ServiceNamespace: z.string().catch(''),
  ResourceId: z.string().catch(''),
});

/** Names that no policy can foresee: AWS tries some calls on resources that do not exist. */
const NO_RESOURCE = '7f4e1944-1817-4891-9bef-e055a90787a4';

/**
 * Permissions of calls about a scalable target. Targets have ARNs that only the service makes up, so policies can name them by `*` alone.
 *
 * Each call needs its own action and those that AWS tries with the caller's rights: the user guide's "Permissions validation for API
 * calls on target resources" describes the calls (those on alarms name none), its "Example policies" list them for SageMaker.
 * That `DescribeEndpointConfig` names a configuration made up for the purpose was seen in CloudTrail (aws-controllers-k8s/community,
 * issue 2110); of `UpdateEndpointWeightsAndCapacities`, which would change a real endpoint, the same is assumed.
 */
export const onTarget =
  ({ site }: AutoscalingState): AskedOfRole =>
  (input, action) => {
    const { ServiceNamespace, ResourceId } = Asked.parse(input);
    const context = { 'application-autoscaling:service-namespace': ServiceNamespace };
    const resource = arn(site, 'application-autoscaling', 'scalable-target/0');
    return [
      { action: `application-autoscaling:${action}`, resource, context },
      ...triedFirst(site, ResourceId),
    ];
  };

/** Permissions to create the service-linked role, if it doesn't exist yet. */
export const onTargetAndRole =
  (state: AutoscalingState): AskedOfRole =>
  (input, action) => {
    const asked = onTarget(state)(input, action);
    const resource = linkedRoleArn(state.site);
    if (state.linkedRoles.get(resource) !== undefined) return asked;
    const context = { 'iam:AWSServiceName': LINKED_SERVICE };
    return [...asked, { action: 'iam:CreateServiceLinkedRole', resource, context }];
  };

function arn({ partition, region, account }: Site, service: string, resource: string): string {
  return `arn:${partition}:${service}:${region}:${account}:${resource}`;
}

function triedFirst(site: Site, resourceId: string): Permission[] {
  const component = componentOf({ ResourceId: resourceId });
  return [
    ...(component === undefined ? triedOnVariant(site, resourceId) : triedOnComponent(site, component)),
    { action: 'cloudwatch:PutMetricAlarm', resource: arn(site, 'cloudwatch', 'alarm:') },
    { action: 'cloudwatch:DescribeAlarms', resource: arn(site, 'cloudwatch', 'alarm:*') },
    { action: 'cloudwatch:DeleteAlarms', resource: arn(site, 'cloudwatch', 'alarm:') },
  ].map((permission) => ({ ...permission, isTriedFirst: true }));
}

function triedOnVariant(site: Site, resourceId: string): Permission[] {
  return [
    { action: 'sagemaker:DescribeEndpoint', resource: arn(site, 'sagemaker', endpointOf(resourceId)) },
    {
      action: 'sagemaker:DescribeEndpointConfig',
      resource: arn(site, 'sagemaker', `endpoint-config/${NO_RESOURCE}`),
    },
    {
      action: 'sagemaker:UpdateEndpointWeightsAndCapacities',
      resource: arn(site, 'sagemaker', `endpoint/${NO_RESOURCE}`),
    },
  ];
}

/** The same list has these two for inference components; that the second is tried on no real one is assumed. */
function triedOnComponent(site: Site, component: string): Permission[] {
  const ofComponent = (name: string) => arn(site, 'sagemaker', `inference-component/${name.toLowerCase()}`);
  return [
    { action: 'sagemaker:DescribeInferenceComponent', resource: ofComponent(component) },
    { action: 'sagemaker:UpdateInferenceComponentRuntimeConfig', resource: ofComponent(NO_RESOURCE) },
  ];
}

/** `endpoint/<name>` of `endpoint/<name>/variant/<name>`. */
function endpointOf(resourceId: string): string {
  return resourceId.split('/').slice(0, 2).join('/');
}
