import type { ObjectStore } from '../../../aws/s3/object-store.ts';
import type { EndpointDescription, Endpoints } from '../../../aws/sagemaker/endpoints.ts';
import type { FunctionConfig, FunctionEndpoint } from '../../../endpoints/function/function-model.ts';
import { Condition } from '../../../problem/conditions.ts';
import { bucketLayout } from '../../../run/bucket-layout.ts';
import { functionConfigJson, functionEndpointJson } from '../../records/endpoint.ts';

/**
 * SageMaker's endpoints, and endpoints of type lambda: documents of the bucket that stand in for SageMaker's resources, so that
 * deploying, testing, rolling back, tagging, sweeping and deleting works for both. Their ARN is the key of their document.
 */
export function withFunctionEndpoints(
  store: ObjectStore,
  sagemaker: Endpoints,
  clock: () => Date,
): Endpoints {
  const endpoint = functionEndpointJson;
  const config = functionConfigJson;
  return {
    ...sagemaker,
    async describe(name) {
      const found = await endpoint(name).read(store);
      if (found === undefined) return sagemaker.describe(name);
      return toDescription(name, found, await config(found.configName).read(store));
    },
    async describeConfig(name) {
      const found = await config(name).read(store);
      if (found === undefined) return sagemaker.describeConfig(name);
      const { variantName, modelName, memorySizeInMB } = found;
      const hardware = { kind: 'lambda', memorySizeInMB } as const;
      return {
        name,
        arn: config(name).key,
        kmsKeyArn: null,
        variants: [{ variantName, modelName, hardware }],
      };
    },
    async createConfig(spec) {
      const { name, variantName, modelName, hardware, functionModel: model, tags } = spec;
      if (hardware.kind !== 'lambda' || model === undefined) return sagemaker.createConfig(spec);
      const { memorySizeInMB } = hardware;
      await config(name).write(store, { schema: 1, variantName, modelName, memorySizeInMB, model, tags });
    },
    async create(wanted) {
      const { name, configName, tags } = wanted;
      if ((await config(configName).read(store)) === undefined) return sagemaker.create(wanted);
      const createdAt = clock().toISOString();
      if (!(await endpoint(name).create(store, { schema: 1, configName, createdAt, tags })))
        throw new Condition('ResourceInUse', `endpoint ${name} exists already`);
    },
    async update(name, configName, policy) {
      const found = await endpoint(name).read(store);
      if (found === undefined) return sagemaker.update(name, configName, policy);
      await endpoint(name).write(store, { ...found, configName });
    },
    async delete(name) {
      if ((await endpoint(name).read(store)) === undefined) return sagemaker.delete(name);
      await store.delete(endpoint(name).key);
    },
    async deleteConfig(name) {
      if ((await config(name).read(store)) === undefined) return sagemaker.deleteConfig(name);
      await store.delete(config(name).key);
    },
    async *names(containing) {
      yield* namesBelow(store, bucketLayout.functionEndpoints(), containing);
      yield* sagemaker.names(containing);
    },
    async *configNames(containing) {
      yield* namesBelow(store, bucketLayout.functionConfigs(), containing);
      yield* sagemaker.configNames(containing);
    },
    async tag(arn, tags) {
      const name = nameBelow(bucketLayout.functionEndpoints(), arn);
      if (name === undefined) return sagemaker.tag(arn, tags);
      const found = await endpoint(name).read(store);
      if (found !== undefined)
        await endpoint(name).write(store, { ...found, tags: { ...found.tags, ...tags } });
    },
    async tagsOf(arn) {
      const ofEndpoint = nameBelow(bucketLayout.functionEndpoints(), arn);
      const ofConfig = nameBelow(bucketLayout.functionConfigs(), arn);
      if (ofEndpoint !== undefined) return (await endpoint(ofEndpoint).read(store))?.tags ?? {};
      if (ofConfig !== undefined) return (await config(ofConfig).read(store))?.tags ?? {};
      return sagemaker.tagsOf(arn);
    },
  };
}

/** A pointer has no way between two states: an endpoint of functions is in service as soon as it is there. */
function toDescription(
  name: string,
  { configName, createdAt }: FunctionEndpoint,
  config: FunctionConfig | undefined,
): EndpointDescription {
  return {
    name,
    arn: functionEndpointJson(name).key,
    status: 'InService',
    configName,
    createdAt: new Date(createdAt),
    variants: config === undefined ? [] : [{ name: config.variantName, instances: 0 }],
  };
}

async function* namesBelow(store: ObjectStore, folder: string, containing = ''): AsyncGenerator<string> {
  try {
    for await (const { key } of store.list(folder)) {
      const name = nameBelow(folder, key);
      if (name?.includes(containing) === true) yield name;
    }
  } catch (error) {
    // If a stack's bucket was deleted by hand, the rest can still be removed.
    if (!(error instanceof Error) || error.name !== 'NoSuchBucket') throw error;
  }
}

/** The name of a document in a folder; undefined for other texts. */
function nameBelow(folder: string, key: string): string | undefined {
  return key.startsWith(folder) ? key.slice(folder.length, -'.json'.length) : undefined;
}
