import * as z from 'zod';

/** Instances at a time by type; `*` stands for every type that is not named. */
const InstanceQuotas = z.record(
  z.string().regex(/^(\*|ml\.[a-z][a-z0-9-]*\.[a-z0-9]+)$/, 'must be * or like ml.m5.xlarge'),
  z.int().min(0),
);

/** Limits that AWS sets an account. Those left out have the laptop's own default. */
export const AccountLimits = z.strictObject({
  /** Functions that run at a time, of the whole account. AWS's default; new accounts may have as few as 10. */
  lambdaConcurrency: z.int().min(1).default(1000),
  /** Instances of transform jobs. AWS's defaults differ by account and type and are often 0. */
  transformInstances: InstanceQuotas.default({}),
  trainingInstances: InstanceQuotas.default({}),
  endpointInstances: InstanceQuotas.default({}),
  /** Requests per second of each call of SageMaker's control plane; AWS publishes no figure. Without it nothing is throttled. */
  sagemakerRequestsPerSecond: z.number().positive().optional(),
  /** Requests a second of a bucket; AWS begins at 5,500 reads and 3,500 writes a prefix. Without it nothing is refused. */
  s3RequestsPerSecond: z.number().positive().optional(),
});
/** Limits that AWS sets an account, defaults filled in. */
export type AccountLimits = z.infer<typeof AccountLimits>;

/** Subject of an instance quota, as Service Quotas and SageMaker's refusals name it. */
export type InstanceUsage = 'transform job' | 'training job' | 'endpoint';

const OTHER_TYPES = 20;

/** How many instances of a type the account may have at a time. */
export function instanceQuota(limits: AccountLimits, usage: InstanceUsage, instanceType: string): number {
  const quotas = {
    'transform job': limits.transformInstances,
    'training job': limits.trainingInstances,
    endpoint: limits.endpointInstances,
  }[usage];
  return quotas[instanceType] ?? quotas['*'] ?? OTHER_TYPES;
}
