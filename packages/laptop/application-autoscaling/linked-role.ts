import * as z from 'zod';
import type { Site } from '../kernel/service.ts';

/** The service of the role, as in `iam:AWSServiceName`. */
export const LINKED_SERVICE = 'sagemaker.application-autoscaling.amazonaws.com';

/** A service-linked role that an account has: AWS makes it when the first target is registered. */
export const LinkedRole = z.object({ arn: z.string() });
export type LinkedRole = z.infer<typeof LinkedRole>;

/** The role as which endpoint variants are scaled. */
export function linkedRoleArn({ partition, account }: Site): string {
  return `arn:${partition}:iam::${account}:role/aws-service-role/${LINKED_SERVICE}/AWSServiceRoleForApplicationAutoScaling_SageMakerEndpoint`;
}
