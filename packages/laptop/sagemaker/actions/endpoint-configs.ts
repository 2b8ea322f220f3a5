import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { validationException } from '../../kernel/aws-error.ts';
import { toArn } from '../arn.ts';
import { asking, making, onAll, onOne, passing } from '../asked-of-role.ts';
import {
  type CreateEndpointConfigInput as ConfigInput,
  CreateEndpointConfigInput,
} from '../endpoint/endpoint-config-record.ts';
import { refuseAccelerators } from '../endpoint/legacy-accelerator.ts';
import { ListInput, listPage } from '../list-page.ts';
import type { ModelRecord } from '../model-record.ts';
import { requireEndpointConfig, requireModel } from '../require-record.ts';
import type { SageMakerState } from '../sagemaker-state.ts';

/** Calls on endpoint configurations. */
export const endpointConfigActions = (state: SageMakerState) => [
  /** Records an endpoint configuration. What this stack does not do is refused here, by name. */
  action('CreateEndpointConfig', {
    input: CreateEndpointConfigInput,
    permissions: asking((input, name) => [
      ...making(state, 'endpoint-config', input, name),
      ...passing(input),
    ]),
    run: (input) => {
      const arn = toArn(state.site, 'endpoint-config', input.EndpointConfigName);
      if (state.endpointConfigs.get(input.EndpointConfigName))
        throw validationException(`Cannot create already existing endpoint configuration "${arn}".`);
      if (!state.legacyElasticInference) refuseAccelerators(input.ProductionVariants);
      checkVariants(input);
      checkComponentHost(input);
      for (const variant of input.ProductionVariants) {
        if (variant.ModelName === undefined) continue;
        const { input: model } = requireModel(state, variant.ModelName ?? '');
        if (variant.ServerlessConfig !== undefined) refuseNetworks(model);
      }
      state.endpointConfigs.set(input.EndpointConfigName, { arn, creationTimeMs: state.clock.now(), input });
      return { EndpointConfigArn: arn };
    },
  }),
  /** Returns the input of CreateEndpointConfig. */
  action('DescribeEndpointConfig', {
    input: z.strictObject({ EndpointConfigName: z.string() }),
    permissions: onOne(state, 'endpoint-config'),
    run: ({ EndpointConfigName }) => {
      const config = requireEndpointConfig(state, EndpointConfigName);
      const { Tags: _tags, ...input } = config.input;
      return {
        ...input,
        ProductionVariants: input.ProductionVariants.map((variant) => ({
          ...variant,
          InitialVariantWeight: variant.InitialVariantWeight ?? 1,
        })),
        EndpointConfigArn: config.arn,
        CreationTime: new Date(config.creationTimeMs),
        EnableNetworkIsolation: input.EnableNetworkIsolation ?? false,
      };
    },
  }),
  /** Configurations, by default newest first, ten at a time. */
  action('ListEndpointConfigs', {
    input: ListInput.extend({ SortBy: z.enum(['Name', 'CreationTime']).optional() }),
    permissions: onAll,
    run: (asked) => {
      const page = listPage(state.endpointConfigs.values(), asked, ({ input, creationTimeMs }) => ({
        name: input.EndpointConfigName,
        creationTimeMs,
      }));
      return {
        EndpointConfigs: page.items.map(({ input, arn, creationTimeMs }) => ({
          EndpointConfigName: input.EndpointConfigName,
          EndpointConfigArn: arn,
          CreationTime: new Date(creationTimeMs),
        })),
        NextToken: page.nextToken,
      };
    },
  }),
  /** Removes a configuration; endpoints made of it go on, for they have their own copy. */
  action('DeleteEndpointConfig', {
    input: z.strictObject({ EndpointConfigName: z.string() }),
    permissions: onOne(state, 'endpoint-config'),
    run: ({ EndpointConfigName }) => {
      requireEndpointConfig(state, EndpointConfigName);
      state.endpointConfigs.delete(EndpointConfigName);
    },
  }),
];

function checkVariants({ ProductionVariants }: ConfigInput): void {
  const names = ProductionVariants.map(({ VariantName }) => VariantName);
  if (new Set(names).size < names.length)
    refuse(`Production variant names must be unique, are ${names.join(', ')}`);
  for (const variant of ProductionVariants) {
    const { VariantName, InstanceType, InitialInstanceCount, ServerlessConfig } = variant;
    const at = `production variant ${VariantName}`;
    if (ServerlessConfig === undefined) {
      if (InstanceType === undefined) refuse(`${at} must have an InstanceType or a ServerlessConfig`);
      if (InitialInstanceCount === undefined) refuse(`${at} must have an InitialInstanceCount`);
      continue;
    }
    if (InstanceType !== undefined || InitialInstanceCount !== undefined)
      refuse(`${at} must have either InstanceType and InitialInstanceCount, or ServerlessConfig`);
    if (variant.AcceleratorType !== undefined || variant.VolumeSizeInGB !== undefined)
      refuse(`${at} is serverless: AcceleratorType and VolumeSizeInGB are for instances`);
    const { MaxConcurrency, ProvisionedConcurrency = 0 } = ServerlessConfig;
    if (ProvisionedConcurrency > MaxConcurrency)
      refuse(
        `ProvisionedConcurrency of ${at} must be at most MaxConcurrency ${MaxConcurrency}, is ${ProvisionedConcurrency}`,
      );
  }
  const serverless = ProductionVariants.filter(({ ServerlessConfig }) => ServerlessConfig !== undefined);
  if (serverless.length > 0 && ProductionVariants.length > 1)
    refuse('A serverless endpoint must have exactly one production variant');
}

/**
 * Settings of the configuration itself and of a variant that belong to inference components, which bring the models. That VpcConfig and
 * EnableNetworkIsolation are refused next to a ModelName is what Terraform's provider reports of the service
 * (terraform-provider-aws, pull requests 48738 and 48884).
 */
function checkComponentHost({ ProductionVariants, ...config }: ConfigInput): void {
  const hosts = ProductionVariants.filter(({ ModelName }) => ModelName === undefined);
  const [host] = hosts;
  if (host === undefined) {
    for (const name of ['VpcConfig', 'EnableNetworkIsolation'] as const)
      if (config[name] !== undefined && config[name] !== false)
        refuse(`${name} is for endpoints that host inference components: set it in the model`);
    for (const { VariantName, ManagedInstanceScaling } of ProductionVariants)
      if (ManagedInstanceScaling !== undefined)
        refuse(
          `ManagedInstanceScaling of production variant ${VariantName}, which has a model, is not emulated`,
        );
    return;
  }
  const at = `production variant ${host.VariantName}, which has no ModelName,`;
  if (ProductionVariants.length > 1)
    refuse(`${at} must be the only one: several variants with inference components are not emulated`);
  if (config.ExecutionRoleArn === undefined)
    refuse(`ExecutionRoleArn is required: ${at} hosts inference components`);
  if (host.ServerlessConfig !== undefined)
    refuse(`${at} must have instances: components cannot be serverless`);
  if (host.AcceleratorType !== undefined) refuse(`${at} must have no AcceleratorType`);
  const { MinInstanceCount = 1, MaxInstanceCount, Status } = host.ManagedInstanceScaling ?? {};
  if (Status !== 'ENABLED' || MaxInstanceCount === undefined)
    refuse(`${at} must have ManagedInstanceScaling ENABLED with a MaxInstanceCount: another is not emulated`);
  const initial = host.InitialInstanceCount ?? 0;
  if (MinInstanceCount > MaxInstanceCount || initial > MaxInstanceCount || initial < MinInstanceCount)
    refuse(
      `InitialInstanceCount of ${at} must be within ManagedInstanceScaling, ${MinInstanceCount}..${MaxInstanceCount}, is ${initial}`,
    );
}

/** Feature exclusions of serverless inference, by the developer guide. */
function refuseNetworks({
  ModelName,
  VpcConfig,
  EnableNetworkIsolation = false,
}: ModelRecord['input']): void {
  if (VpcConfig !== undefined) refuse(`Serverless endpoints do not support VpcConfig of model ${ModelName}.`);
  if (EnableNetworkIsolation)
    refuse(`Serverless endpoints do not support EnableNetworkIsolation of model ${ModelName}.`);
}

function refuse(message: string): never {
  throw validationException(message);
}
