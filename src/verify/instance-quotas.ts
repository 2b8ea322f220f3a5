import { type InstanceUse, quotaName } from '../model/quota-name.ts';
import type { Finding } from './finding.ts';

/** An instance type that pipelines request. */
export interface WantedInstance {
  readonly instanceType: string;
  readonly use: InstanceUse;
  readonly instances: number;
  readonly pipelines: readonly string[];
}

/** Whether the account's quotas let every pipeline start its jobs and endpoints. */
export function judgeInstanceQuotas(
  wanted: readonly WantedInstance[],
  quotas: ReadonlyMap<string, number>,
): Finding {
  if (wanted.length === 0)
    return {
      answered: 'no pipeline.json in the bucket yet',
      verdict: 'ok',
      means: 'No pipeline uses an instance. Verify again once a pipeline is configured.',
    };
  const lines = wanted.map((instance) => ({ instance, quota: quotas.get(nameOf(instance)) }));
  const answered = lines
    .map(({ instance, quota }) => `${nameOf(instance)}: ${quota ?? 'not listed'}`)
    .join(', ');
  const small = lines.filter(({ instance, quota }) => quota !== undefined && quota < instance.instances);
  if (small.length > 0) {
    const what = small.map(
      ({ instance, quota }) =>
        `${nameOf(instance)} (${quota} where ${instance.pipelines.join(', ')} needs ${instance.instances})`,
    );
    return {
      answered,
      verdict: 'failed',
      means: `SageMaker refuses what exceeds a quota. Ask for ${what.join(', ')} in Service Quotas.`,
    };
  }
  const unlisted = lines.filter(({ quota }) => quota === undefined).map(({ instance }) => nameOf(instance));
  if (unlisted.length > 0)
    return {
      answered,
      verdict: 'warning',
      means: `Service Quotas does not list ${unlisted.join(', ')}: the region may lack the type. Name another in pipeline.json, or try it with a small drop.`,
    };
  return {
    answered,
    verdict: 'ok',
    means: 'Every pipeline can start one job, and one endpoint where it deploys one.',
  };
}

function nameOf({ instanceType, use }: WantedInstance): string {
  return quotaName(instanceType, use);
}
