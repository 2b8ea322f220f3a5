import { createHash } from 'node:crypto';
import type { Site } from '../kernel/service.ts';
import { serviceModel, shapeOf } from '../service-model/model.ts';
import { type AccountLimits, instanceQuota, type InstanceUsage } from './account-limits.ts';

/** A quota as Service Quotas shows it. */
export interface ServiceQuota {
  readonly ServiceCode: string;
  readonly ServiceName: string;
  readonly QuotaArn: string;
  readonly QuotaCode: string;
  readonly QuotaName: string;
  readonly Value: number;
  readonly Unit: 'None';
  readonly Adjustable: boolean;
  readonly GlobalQuota: boolean;
  readonly QuotaAppliedAtLevel: 'ACCOUNT';
}

/** The one quota that has AWS's real code. */
const LAMBDA_CONCURRENCY = { code: 'L-B99A9384', name: 'Concurrent executions' };

/** Every quota that the stack holds its clients to, by service code. */
export function quotasOf(limits: AccountLimits, site: Site): ReadonlyMap<string, readonly ServiceQuota[]> {
  const toQuota = (
    service: { readonly code: string; readonly name: string },
    quota: { readonly code: string; readonly name: string },
    value: number,
  ): ServiceQuota => ({
    ServiceCode: service.code,
    ServiceName: service.name,
    QuotaArn: `arn:${site.partition}:servicequotas:${site.region}:${site.account}:${service.code}/${quota.code}`,
    QuotaCode: quota.code,
    QuotaName: quota.name,
    Value: value,
    Unit: 'None',
    Adjustable: true,
    GlobalQuota: false,
    QuotaAppliedAtLevel: 'ACCOUNT',
  });
  const sagemaker = { code: 'sagemaker', name: 'Amazon SageMaker' };
  const lambda = { code: 'lambda', name: 'AWS Lambda' };
  const transformTypes = shapeOf(serviceModel('sagemaker', []), 'TransformInstanceType').enum ?? [];
  const instances = (usage: InstanceUsage, named: object): ServiceQuota[] =>
    [...new Set([...transformTypes, ...Object.keys(named)])]
      .filter((type) => type !== '*')
      .sort()
      .map((type) => {
        const name = `${type} for ${usage} usage`;
        return toQuota(sagemaker, { code: toCode(name), name }, instanceQuota(limits, usage, type));
      });
  return new Map([
    [lambda.code, [toQuota(lambda, LAMBDA_CONCURRENCY, limits.lambdaConcurrency)]],
    [
      sagemaker.code,
      [
        ...instances('transform job', limits.transformInstances),
        ...instances('training job', limits.trainingInstances),
        ...instances('endpoint', limits.endpointInstances),
      ],
    ],
  ]);
}

/** In the form of AWS's codes, and always the same for a name. */
function toCode(name: string): string {
  return `L-${createHash('sha256').update(name).digest('hex').slice(0, 8).toUpperCase()}`;
}
