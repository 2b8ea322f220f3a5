/** Uses of an instance type, each with a quota of its own. */
export type InstanceUse = 'transform job' | 'endpoint' | 'training job' | 'spot training job';

/** Name of a quota in Service Quotas, as in "ml.m5.large for transform job usage". */
export function quotaName(instanceType: string, use: InstanceUse): string {
  return `${instanceType} for ${use} usage`;
}

/** Names of the quotas of all types together; SageMaker refuses requests that exceed them, even within the quota of the type. */
export const SUM_QUOTA_NAMES: Readonly<Record<InstanceUse, string>> = {
  'transform job': 'Number of instances across all transform jobs',
  endpoint: 'Number of instances across active endpoints',
  'training job': 'Number of instances across all training jobs',
  'spot training job': 'Number of instances across all spot training jobs',
};
