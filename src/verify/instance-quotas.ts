import { type InstanceUse, quotaName, SUM_QUOTA_NAMES } from '../model/quota-name.ts';
import type { Finding } from './finding.ts';

/** An instance type that pipelines request. */
export interface WantedInstance {
  readonly instanceType: string;
  readonly use: InstanceUse;
  readonly instances: number;
  readonly pipelines: readonly string[];
}

/** Values of quotas by their names. */
export interface KnownQuotas {
  /** Values of this account. */
  readonly applied: ReadonlyMap<string, number>;
  /** AWS's defaults, for quotas of which Service Quotas knows no value of the account. */
  readonly defaults: ReadonlyMap<string, number>;
}

/** A quota, and the most that one job or endpoint needs of it. */
interface Need {
  readonly quota: string;
  readonly instances: number;
  readonly pipelines: readonly string[];
  /** False for the sum of all types, which is only judged where Service Quotas lists it. */
  readonly isOfType: boolean;
}

/** Whether quotas of all that is wanted are missing among an account's own. */
export function lacksQuotas(
  wanted: readonly WantedInstance[],
  applied: ReadonlyMap<string, number>,
): boolean {
  return needsOf(wanted).some(({ quota }) => !applied.has(quota));
}

/** Whether the account's quotas, of each type and of all types together, let every pipeline start its jobs and endpoints. */
export function judgeInstanceQuotas(
  wanted: readonly WantedInstance[],
  { applied, defaults }: KnownQuotas,
): Finding {
  if (wanted.length === 0)
    return {
      answered: 'no pipeline.json in the bucket yet',
      verdict: 'ok',
      means: 'No pipeline uses an instance. Verify again once a pipeline is configured.',
    };
  const lines = needsOf(wanted)
    .map((need) => ({ need, value: applied.get(need.quota) ?? defaults.get(need.quota) }))
    .filter(({ need, value }) => need.isOfType || value !== undefined);
  const answered = lines
    .map(({ need: { quota }, value }) =>
      value === undefined
        ? `${quota}: not listed`
        : `${quota}: ${value}${applied.has(quota) ? '' : " (AWS's default)"}`,
    )
    .join(', ');
  const small = lines.filter(({ need, value }) => value !== undefined && value < need.instances);
  if (small.length > 0) {
    const what = small.map(
      ({ need, value }) =>
        `${need.quota} (${value} where ${need.pipelines.join(', ')} needs ${need.instances})`,
    );
    return {
      answered,
      verdict: 'failed',
      means: `SageMaker refuses what exceeds a quota; an endpoint needs twice its instances while it is updated. Ask for ${what.join(', ')} in Service Quotas.`,
    };
  }
  const unlisted = lines.filter(({ value }) => value === undefined).map(({ need }) => need.quota);
  if (unlisted.length > 0)
    return {
      answered,
      verdict: 'warning',
      means: `Service Quotas does not list ${unlisted.join(', ')}: the region may lack the type. Name another in pipeline.json, or try it with a small drop.`,
    };
  return {
    answered,
    verdict: 'ok',
    means: 'Every pipeline can start one job, and start and update one endpoint where it deploys one.',
  };
}

function needsOf(wanted: readonly WantedInstance[]): readonly Need[] {
  const ofTypes = wanted.map(({ instanceType, use, ...rest }) => ({
    ...rest,
    quota: quotaName(instanceType, use),
    isOfType: true,
  }));
  const sums = [...Map.groupBy(wanted, ({ use }) => use)].map(([use, theirs]) => {
    const instances = Math.max(...theirs.map((one) => one.instances));
    const largest = theirs.filter((one) => one.instances === instances);
    return {
      quota: SUM_QUOTA_NAMES[use],
      instances,
      pipelines: [...new Set(largest.flatMap(({ pipelines }) => pipelines))],
      isOfType: false,
    };
  });
  return [...ofTypes, ...sums];
}
