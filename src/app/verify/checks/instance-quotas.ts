import type { ObjectStore } from '../../../aws/s3/object-store.ts';
import { kindFor } from '../../../endpoints/kinds.ts';
import { type InstanceUse, quotaName, SUM_QUOTA_NAMES } from '../../../model/quota-name.ts';
import type { Check } from '../check.ts';
import { failed, type Finding, ok, warning } from '../finding.ts';
import { pipelineConfigs } from '../pipeline-configs.ts';

/** Quotas of the instance types that the pipelines of the bucket ask for. */
export const instanceQuotas: Check = {
  name: 'instance-quotas',
  asks: 'Do the quotas of SageMaker allow the instances that the pipelines ask for?',
  usd: null,
  run: async ({ store, quotas, defaultQuotas }) => {
    const wanted = await wantedInstances(store);
    const applied = wanted.length === 0 ? new Map<string, number>() : await quotas('sagemaker');
    const defaults = lacksQuotas(wanted, applied)
      ? await defaultQuotas('sagemaker')
      : new Map<string, number>();
    return judgeInstanceQuotas(wanted, { applied, defaults });
  },
};

async function wantedInstances(store: ObjectStore): Promise<readonly WantedInstance[]> {
  const wanted = new Map<string, WantedInstance>();
  for await (const { pipeline, config } of pipelineConfigs(store)) {
    const { transform, endpoint, training } = config;
    const add = (instance: Omit<WantedInstance, 'pipelines'>): void => {
      const name = quotaName(instance.instanceType, instance.use);
      const before = wanted.get(name);
      wanted.set(name, {
        ...instance,
        instances: Math.max(instance.instances, before?.instances ?? 0),
        pipelines: [...(before?.pipelines ?? []), pipeline],
      });
    };
    for (const instanceType of transform.instanceTypes)
      add({ instanceType, use: 'transform job', instances: transform.instanceCount });
    const instances = kindFor(endpoint).instancesWhileUpdated(endpoint);
    if (endpoint.deploy !== 'never' && instances > 0)
      add({ instanceType: endpoint.instanceType, use: 'endpoint', instances });
    for (const instanceType of training?.instances.types ?? [])
      add({
        instanceType,
        use: training?.spot === null ? 'training job' : 'spot training job',
        instances: training?.instances.count ?? 1,
      });
  }
  return [...wanted.values()];
}

/** An instance type that pipelines request. */
interface WantedInstance {
  readonly instanceType: string;
  readonly use: InstanceUse;
  readonly instances: number;
  readonly pipelines: readonly string[];
}

/** Values of quotas by their names. */
interface KnownQuotas {
  /** Values of this account. */
  readonly applied: ReadonlyMap<string, number>;
  /** AWS's defaults, for quotas without a value of the account in Service Quotas. */
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
    return ok(
      'no pipeline.json in the bucket yet',
      'No pipeline uses an instance. Verify again once a pipeline is configured.',
    );
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
    return failed(
      answered,
      'SageMaker refuses what exceeds a quota; an endpoint needs twice its instances while it is updated. Ask for ' +
        `${what.join(', ')} in Service Quotas.`,
    );
  }
  const unlisted = lines.filter(({ value }) => value === undefined).map(({ need }) => need.quota);
  if (unlisted.length > 0)
    return warning(
      answered,
      `Service Quotas does not list ${unlisted.join(', ')}: the region may lack the type. Name another in ` +
        'pipeline.json, or try it with a small drop.',
    );
  return ok(
    answered,
    'Every pipeline can start one job, and start and update one endpoint where it deploys one.',
  );
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
