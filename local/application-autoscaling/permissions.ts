import * as z from 'zod';
import type { ActionPermissions, Site } from '../gateway/service.ts';

const Asked = z.looseObject({ ServiceNamespace: z.string().catch('') });

/** What calls ask of a role. Targets have ARNs that only the service makes up, so policies can name them by `*` alone. */
export function autoscalingPermissions({ partition, region, account }: Site): ActionPermissions {
  const on = (action: string) => (input: unknown) => [
    {
      action: `application-autoscaling:${action}`,
      resource: `arn:${partition}:application-autoscaling:${region}:${account}:scalable-target/0`,
      context: { 'application-autoscaling:service-namespace': Asked.parse(input).ServiceNamespace },
    },
  ];
  return {
    RegisterScalableTarget: on('RegisterScalableTarget'),
    DeregisterScalableTarget: on('DeregisterScalableTarget'),
    PutScalingPolicy: on('PutScalingPolicy'),
    DeleteScalingPolicy: on('DeleteScalingPolicy'),
  };
}
