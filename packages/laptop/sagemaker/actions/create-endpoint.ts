import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { validationException } from '../../kernel/aws-error.ts';
import { toArn } from '../arn.ts';
import { asking, making, on, usingKey } from '../asked-of-role.ts';
import { checkDeployment } from '../endpoint/check-deployment.ts';
import { DeploymentConfig } from '../endpoint/deployment-config.ts';
import { ResourceName } from '../endpoint/endpoint-config-record.ts';
import { toComponentHost, toHostedVariants } from '../endpoint/to-hosted-variant.ts';
import { requireEndpointInstances } from '../instance-quota.ts';
import { requireEndpointConfig } from '../require-record.ts';
import type { SageMakerState } from '../sagemaker-state.ts';
import { Tags } from '../tags.ts';

/** Starts the endpoint's containers; the answer does not wait for them. */
export const createEndpoint = (state: SageMakerState) =>
  action('CreateEndpoint', {
    input: z.strictObject({
      EndpointName: ResourceName,
      EndpointConfigName: ResourceName,
      DeploymentConfig: DeploymentConfig.optional(),
      Tags: Tags.optional(),
    }),
    permissions: asking((input, name) => [
      ...making(state, 'endpoint', input, name),
      on(state, 'endpoint-config', input, name),
      ...usingKey(state, input),
    ]),
    run: ({ EndpointName: name, EndpointConfigName, DeploymentConfig: deployment, Tags: tags = [] }) => {
      const arn = toArn(state.site, 'endpoint', name);
      if (state.endpoints.get(name)) {
        throw validationException(`Cannot create already existing endpoint "${arn}".`);
      }
      const config = requireEndpointConfig(state, EndpointConfigName);
      checkDeployment(deployment, state.alarms);
      const variants = toHostedVariants(state, config);
      const host = toComponentHost(config);
      requireEndpointInstances(state, variants, host);
      const now = state.clock.now();
      state.hosting.create({
        name,
        arn,
        status: 'Creating',
        creationTimeMs: now,
        lastModifiedTimeMs: now,
        content: {
          configName: EndpointConfigName,
          variants,
          ...(host && { host }),
          ...(deployment && { deployment }),
        },
        tags,
      });
      return { EndpointArn: arn };
    },
  });
