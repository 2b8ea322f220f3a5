import type { ComponentSpec, InferenceComponents } from '../../src/aws/sagemaker/components.ts';
import type { EndpointConfigSpec } from '../../src/aws/sagemaker/endpoint-config.ts';
import type { Endpoints, UpdatePolicy } from '../../src/aws/sagemaker/endpoints.ts';
import type { ModelSpec } from '../../src/aws/sagemaker/sagemaker.ts';
import type { Tags } from '../../src/aws/sagemaker/sagemaker-request.ts';

interface MemoryEndpoint {
  status: string;
  configName: string;
  /** Where an update is to lead; until its end SageMaker describes what was before. */
  pending?: string;
  failureReason?: string;
  bakingConfigName?: string;
  /** What autoscaling has made of the configuration's number of instances. */
  instances?: number;
  tags: Tags;
}

export interface MemoryEndpoints extends Endpoints {
  readonly all: Map<string, MemoryEndpoint>;
  readonly configs: Map<string, EndpointConfigSpec>;
  /** What was asked, in order: `create x`, `update x to y`, `delete x`, … */
  readonly asked: string[];
  readonly policies: UpdatePolicy[];
  readonly components: InferenceComponents;
  /** Inference components by their names. */
  readonly allComponents: Map<
    string,
    ComponentSpec & { status: string; failureReason?: string; copies?: number }
  >;
  /** SageMaker has ended what it was at, as it was asked. */
  arrive(): void;
}

/** Endpoints that stay as they were asked until a test says otherwise. */
export function memoryEndpoints(models: ReadonlyMap<string, ModelSpec> = new Map()): MemoryEndpoints {
  const all: MemoryEndpoints['all'] = new Map();
  const configs: MemoryEndpoints['configs'] = new Map();
  const asked: string[] = [];
  const policies: UpdatePolicy[] = [];
  const allComponents: MemoryEndpoints['allComponents'] = new Map();
  const components: InferenceComponents = {
    async createHostConfig({ name, hardware, kmsKeyArn, tags }) {
      asked.push(`create host config ${name}`);
      configs.set(name, { name, hardware, kmsKeyArn, tags, variantName: 'components', modelName: '' });
    },
    async create(spec) {
      asked.push(`create component ${spec.name}`);
      allComponents.set(spec.name, { ...spec, status: 'Creating' });
    },
    async describe(name) {
      const found = allComponents.get(name);
      return found && { copies: found.status === 'InService' ? 1 : 0, ...found };
    },
    namesOn: async (name) =>
      [...allComponents.values()].filter(({ endpointName }) => endpointName === name).map((one) => one.name),
    async delete(name) {
      asked.push(`delete component ${name}`);
      if (/Creating|Updating/.test(allComponents.get(name)?.status ?? ''))
        throw new Error(`Cannot delete inference component "${name}" while it is in progress`);
      allComponents.delete(name);
    },
  };
  const arnOf = (kind: string, name: string): string =>
    `arn:aws:sagemaker:us-east-1:000000000000:${kind}/${name}`;
  const listed = async function* (names: Iterable<string>, containing = ''): AsyncGenerator<string> {
    for (const name of [...names]) if (name.includes(containing)) yield name;
  };
  return {
    all,
    configs,
    asked,
    policies,
    components,
    allComponents,
    arrive() {
      for (const component of allComponents.values()) component.status = 'InService';
      for (const endpoint of all.values()) {
        endpoint.status = 'InService';
        if (endpoint.pending !== undefined) delete endpoint.instances;
        endpoint.configName = endpoint.pending ?? endpoint.configName;
        delete endpoint.pending;
      }
    },
    async describe(name) {
      const found = all.get(name);
      if (found === undefined) return undefined;
      const config = configs.get(found.configName);
      const configured = config?.hardware.kind === 'instance' ? config.hardware.initialInstanceCount : 1;
      return {
        name,
        arn: arnOf('endpoint', name),
        createdAt: new Date(0),
        ...found,
        ...(config?.hardware.kind === 'scaleToZero' &&
          found.status === 'InService' && { hostsComponents: true }),
        variants: [{ name: config?.variantName ?? 'variant', instances: found.instances ?? configured }],
      };
    },
    async describeConfig(name) {
      const found = configs.get(name);
      return found && { name, arn: arnOf('endpoint-config', name), kmsKeyArn: null, variants: [found] };
    },
    async createConfig(config) {
      asked.push(`create config ${config.name}`);
      configs.set(config.name, config);
    },
    async create({ name, configName, tags }) {
      asked.push(`create ${name}`);
      all.set(name, { status: 'Creating', configName, tags });
    },
    async update(name, configName, policy) {
      asked.push(`update ${name} to ${configName}`);
      policies.push(policy);
      const { status } = all.get(name)!;
      if (status !== 'InService')
        throw new Error(`Cannot update endpoint "${arnOf('endpoint', name)}": ${status}`);
      if (!configs.has(configName)) throw new Error(`Could not find endpoint configuration "${configName}".`);
      all.set(name, { ...all.get(name)!, status: 'Updating', pending: configName });
    },
    async delete(name) {
      asked.push(`delete ${name}`);
      if ((await components.namesOn(name)).length > 0) throw new Error(`${name} has inference components`);
      if (/Creating|Updating/.test(all.get(name)?.status ?? ''))
        throw new Error(`Cannot update in-progress endpoint "${arnOf('endpoint', name)}".`);
      all.delete(name);
    },
    async deleteConfig(name) {
      asked.push(`delete config ${name}`);
      configs.delete(name);
    },
    names: (containing) => listed(all.keys(), containing),
    configNames: (containing) => listed(configs.keys(), containing),
    modelNames: (containing) => listed(models.keys(), containing),
    async tag(arn, tags) {
      const name = arn.split('/').at(-1)!;
      all.set(name, { ...all.get(name)!, tags: { ...all.get(name)!.tags, ...tags } });
    },
    async tagsOf(arn) {
      const name = arn.split('/').at(-1)!;
      if (arn.includes(':model/')) return models.get(name)?.tags ?? {};
      return arn.includes(':endpoint-config/')
        ? (configs.get(name)?.tags ?? {})
        : (all.get(name)?.tags ?? {});
    },
  };
}
