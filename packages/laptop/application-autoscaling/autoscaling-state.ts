import * as z from 'zod';
import { AwsError } from '../kernel/aws-error.ts';
import type { Clock } from '../kernel/clock.ts';
import type { CopyCounts } from '../kernel/ports.ts';
import type { Site } from '../kernel/service.ts';
import type { Documents } from '../storage/document-file.ts';
import type { ComponentScaling } from './component-scaling.ts';
import { type ScalableTarget, type ScalingPolicy, targetKey, type TargetName } from './scalable-target.ts';

/** The service of the role, as in `iam:AWSServiceName`. */
export const LINKED_SERVICE = 'sagemaker.application-autoscaling.amazonaws.com';

/** A service-linked role that an account has: AWS makes it when the first target is registered. */
export const LinkedRole = z.object({ arn: z.string() });
export type LinkedRole = z.infer<typeof LinkedRole>;

/** The role as which endpoint variants are scaled. */
export function linkedRoleArn({ partition, account }: Site): string {
  return `arn:${partition}:iam::${account}:role/aws-service-role/${LINKED_SERVICE}/AWSServiceRoleForApplicationAutoScaling_SageMakerEndpoint`;
}

/** State that the actions share. */
export interface AutoscalingState {
  readonly site: Site;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly targets: Documents<ScalableTarget>;
  readonly policies: Documents<ScalingPolicy>;
  /** Service-linked roles by their ARNs. */
  readonly linkedRoles: Documents<LinkedRole>;
  readonly copies: CopyCounts;
  readonly scaling: ComponentScaling;
}

/** @throws {AwsError} `ObjectNotFoundException` */
export function requireTarget({ targets }: AutoscalingState, name: TargetName): ScalableTarget {
  const target = targets.get(targetKey(name));
  if (target) return target;
  throw new AwsError(
    'ObjectNotFoundException',
    `No scalable target registered for service namespace: ${name.ServiceNamespace}, resource ID: ${name.ResourceId}, ` +
      `scalable dimension: ${name.ScalableDimension}`,
  );
}
