import type { Site } from '../kernel/service.ts';

/** Kinds of resource that SageMaker names in ARNs. */
export type ResourceKind =
  'model' | 'transform-job' | 'training-job' | 'endpoint-config' | 'endpoint' | 'inference-component';

/** ARN of a SageMaker resource; the name in it is in lower case, as observed on the real service. */
export function toArn(site: Site, kind: ResourceKind, name: string): string {
  return `arn:${site.partition}:sagemaker:${site.region}:${site.account}:${kind}/${name.toLowerCase()}`;
}
