import { AwsError } from '../kernel/aws-error.ts';
import type { Clock } from '../kernel/clock.ts';
import type { CopyCounts } from '../kernel/ports.ts';
import type { Site } from '../kernel/service.ts';
import type { Documents } from '../storage/document-file.ts';
import type { ComponentScaling } from './component-scaling.ts';
import type { LinkedRole } from './linked-role.ts';
import { type ScalableTarget, type ScalingPolicy, targetKey, type TargetName } from './scalable-target.ts';

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
