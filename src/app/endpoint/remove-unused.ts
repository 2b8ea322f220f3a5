import type { Endpoints } from '../../aws/sagemaker/endpoints.ts';
import type { SageMaker } from '../../aws/sagemaker/sagemaker.ts';
import { type EndpointOwner, toNameStem } from '../../endpoint/names.ts';
import { isOurs } from '../../endpoint/tags.ts';

interface RemoveUnusedServices {
  readonly endpoints: Endpoints;
  readonly sagemaker: Pick<SageMaker, 'describeModel' | 'deleteModel'>;
}

/** Deletes unused configurations and models of the pipeline's endpoint, recognized by their tags. */
export async function removeUnused(
  { endpoints, sagemaker }: RemoveUnusedServices,
  owner: EndpointOwner,
  pipeline: string,
  live: { readonly configName: string | null; readonly modelName: string | null },
): Promise<{ configs: number; models: number }> {
  const isOf = async (arn: string): Promise<boolean> => {
    const tags = await endpoints.tagsOf(arn);
    return isOurs(tags, owner.bucket) && tags['inferdrop:pipeline'] === pipeline;
  };
  const removed = { configs: 0, models: 0 };
  const used = new Set([live.modelName]);
  const stem = toNameStem(owner, pipeline);
  for await (const name of endpoints.configNames(stem)) {
    const config = await endpoints.describeConfig(name);
    if (config === undefined || !(await isOf(config.arn))) continue;
    if (name === live.configName) {
      for (const variant of config.variants) used.add(variant.modelName);
      continue;
    }
    await endpoints.deleteConfig(name);
    removed.configs += 1;
  }
  for await (const name of endpoints.modelNames(stem)) {
    const model = used.has(name) ? undefined : await sagemaker.describeModel(name);
    if (model === undefined || !(await isOf(model.arn))) continue;
    await sagemaker.deleteModel(name);
    removed.models += 1;
  }
  return removed;
}
