/** What instances of a type are used for, each with a quota of its own. */
export type InstanceUse = 'transform job' | 'endpoint' | 'training job' | 'spot training job';

/** Name of a quota in Service Quotas, as in "ml.m5.large for transform job usage". */
export function quotaName(instanceType: string, use: InstanceUse): string {
  return `${instanceType} for ${use} usage`;
}
