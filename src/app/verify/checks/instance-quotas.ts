import type { ObjectStore } from '../../../aws/object-store.ts';
import { quotaName } from '../../../model/quota-name.ts';
import { parsePipelineConfig } from '../../../pipeline/parse-config.ts';
import { bucketLayout, folderName } from '../../../run/bucket-layout.ts';
import { judgeInstanceQuotas, type WantedInstance } from '../../../verify/instance-quotas.ts';
import type { Check } from '../check.ts';

/** Quotas of the instance types that the pipelines of the bucket ask for. */
export const instanceQuotas: Check = {
  name: 'instance-quotas',
  asks: 'Do the quotas of SageMaker allow the instances that the pipelines ask for?',
  usd: null,
  run: async ({ store, quotas }) => {
    const wanted = await wantedInstances(store);
    return judgeInstanceQuotas(wanted, wanted.length === 0 ? new Map() : await quotas('sagemaker'));
  },
};

/** A pipeline.json with mistakes is skipped: PlanRun reports them. */
async function wantedInstances(store: ObjectStore): Promise<readonly WantedInstance[]> {
  const wanted = new Map<string, WantedInstance>();
  for await (const folder of store.listFolders(bucketLayout.pipelines())) {
    const pipeline = folderName(folder);
    const text = await store.readText(bucketLayout.pipelineConfig(pipeline));
    const parsed = text === undefined ? undefined : parsePipelineConfig(text);
    if (parsed === undefined || !('value' in parsed)) continue;
    const { transform, endpoint, training } = parsed.value;
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
        instances: endpoint.autoscaling?.maxInstances ?? endpoint.initialInstanceCount,
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
