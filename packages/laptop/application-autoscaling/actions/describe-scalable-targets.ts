import * as z from 'zod';
import type { AutoscalingState } from '../autoscaling-state.ts';

const Input = z.strictObject({
  ServiceNamespace: z.string(),
  ResourceIds: z.array(z.string()).optional(),
  ScalableDimension: z.string().optional(),
});

/** `DescribeScalableTargets`, in one page. */
export function describeScalableTargets({ targets }: AutoscalingState) {
  return (body: unknown) => {
    const { ServiceNamespace, ResourceIds, ScalableDimension } = Input.parse(body);
    return {
      ScalableTargets: [...targets.values()]
        .filter(
          (target) =>
            target.ServiceNamespace === ServiceNamespace &&
            (ResourceIds?.includes(target.ResourceId) ?? true) &&
            (ScalableDimension ?? target.ScalableDimension) === target.ScalableDimension,
        )
        .map(({ arn, createdMs, ...target }) => ({
          ...target,
          ScalableTargetARN: arn,
          CreationTime: new Date(createdMs),
        })),
    };
  };
}
