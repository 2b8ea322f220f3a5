import type { ObjectStore } from '../../../aws/s3/object-store.ts';
import { instancesWhileUpdated } from '../../../endpoint/instances.ts';
import { quotaName } from '../../../model/quota-name.ts';
import { judgeInstanceQuotas, lacksQuotas, type WantedInstance } from '../../../verify/instance-quotas.ts';
import type { Check } from '../check.ts';
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
    if (endpoint.deploy !== 'never' && endpoint.type === 'instance')
      add({
        instanceType: endpoint.instanceType,
        use: 'endpoint',
        instances: instancesWhileUpdated(endpoint),
      });
    for (const instanceType of training?.instances.types ?? [])
      add({
        instanceType,
        use: training?.spot === null ? 'training job' : 'spot training job',
        instances: training?.instances.count ?? 1,
      });
  }
  return [...wanted.values()];
}
