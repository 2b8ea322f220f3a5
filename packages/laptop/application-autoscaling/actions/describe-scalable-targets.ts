import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import type { AutoscalingState } from '../autoscaling-state.ts';

/** `DescribeScalableTargets`, in one page. */
export const describeScalableTargets = ({ targets }: AutoscalingState) =>
  action('DescribeScalableTargets', {
    input: z.strictObject({
      ServiceNamespace: z.string(),
      ResourceIds: z.array(z.string()).optional(),
      ScalableDimension: z.string().optional(),
    }),
    run: ({ ServiceNamespace, ResourceIds, ScalableDimension }) => ({
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
    }),
  });
