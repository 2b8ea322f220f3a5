import { action } from '../../kernel/action.ts';
import { AwsError } from '../../kernel/aws-error.ts';
import { toArn } from '../arn.ts';
import { asking, making, passing } from '../asked-of-role.ts';
import {
  type CreateEndpointConfigInput as ConfigInput,
  CreateEndpointConfigInput,
} from '../endpoint/endpoint-config-record.ts';
import { refuseAccelerators } from '../endpoint/legacy-accelerator.ts';
import type { ModelRecord } from '../model-record.ts';
import { requireModel } from '../require-record.ts';
import type { SageMakerState } from '../sagemaker-state.ts';

/** Records an endpoint configuration. What this stack does not do is refused here, by name. */
export const createEndpointConfig = (state: SageMakerState) =>
  action('CreateEndpointConfig', {
    input: CreateEndpointConfigInput,
    permissions: asking((input, name) => [
      ...making(state, 'endpoint-config', input, name),
      ...passing(input),
    ]),
    run: (input) => {
      const arn = toArn(state.site, 'endpoint-config', input.EndpointConfigName);
      if (state.endpointConfigs.get(input.EndpointConfigName)) {
        throw new AwsError(
          'ValidationException',
          `Cannot create already existing endpoint configuration "${arn}".`,
        );
      }
      if (!state.legacyElasticInference) refuseAccelerators(input.ProductionVariants);
      checkVariants(input);
      for (const variant of input.ProductionVariants) {
        const { input: model } = requireModel(state, variant.ModelName ?? '');
        if (variant.ServerlessConfig !== undefined) refuseNetworks(model);
      }
      state.endpointConfigs.set(input.EndpointConfigName, { arn, creationTimeMs: state.clock.now(), input });
      return { EndpointConfigArn: arn };
    },
  });

function checkVariants({ ProductionVariants }: ConfigInput): void {
  const names = ProductionVariants.map(({ VariantName }) => VariantName);
  if (new Set(names).size < names.length) {
    refuse(`Production variant names must be unique, are ${names.join(', ')}`);
  }
  for (const variant of ProductionVariants) {
    const { VariantName, ModelName, InstanceType, InitialInstanceCount, ServerlessConfig } = variant;
    const at = `production variant ${VariantName}`;
    if (ModelName === undefined) {
      refuse(`${at} must have a ModelName: inference components are not emulated by this stack`);
    }
    if (ServerlessConfig === undefined) {
      if (InstanceType === undefined) refuse(`${at} must have an InstanceType or a ServerlessConfig`);
      if (InitialInstanceCount === undefined) refuse(`${at} must have an InitialInstanceCount`);
      continue;
    }
    if (InstanceType !== undefined || InitialInstanceCount !== undefined) {
      refuse(`${at} must have either InstanceType and InitialInstanceCount, or ServerlessConfig`);
    }
    if (variant.AcceleratorType !== undefined || variant.VolumeSizeInGB !== undefined) {
      refuse(`${at} is serverless: AcceleratorType and VolumeSizeInGB are for instances`);
    }
    const { MaxConcurrency, ProvisionedConcurrency = 0 } = ServerlessConfig;
    if (ProvisionedConcurrency > MaxConcurrency) {
      refuse(
        `ProvisionedConcurrency of ${at} must be at most MaxConcurrency ${MaxConcurrency}, is ${ProvisionedConcurrency}`,
      );
    }
  }
  const serverless = ProductionVariants.filter(({ ServerlessConfig }) => ServerlessConfig !== undefined);
  if (serverless.length > 0 && ProductionVariants.length > 1) {
    refuse('A serverless endpoint must have exactly one production variant');
  }
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
  throw new AwsError('ValidationException', message);
}
