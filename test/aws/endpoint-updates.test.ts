import {
  DescribeEndpointCommand,
  type PendingProductionVariantSummary,
  SageMakerClient,
  UpdateEndpointCommand,
} from '@aws-sdk/client-sagemaker';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, expect, test } from 'vitest';
import { endpoints } from '../../src/aws/sagemaker/endpoints.ts';

const client = mockClient(SageMakerClient);
beforeEach(() => client.reset());

const update = async (policy: object) => {
  client.on(UpdateEndpointCommand).resolves({ EndpointArn: 'arn' });
  await endpoints().update('e', 'new', { rollbackAlarms: [], bakeSeconds: 300, guardrails: true, ...policy });
  return client.commandCalls(UpdateEndpointCommand)[0]!.args[0].input.DeploymentConfig;
};

test('an update keeps the old fleet for its bake, in which alarms take it back', async () => {
  expect(await update({ rollbackAlarms: ['a', 'b'] })).toEqual({
    BlueGreenUpdatePolicy: {
      TrafficRoutingConfiguration: { Type: 'ALL_AT_ONCE', WaitIntervalInSeconds: 0 },
      TerminationWaitInSeconds: 300,
      MaximumExecutionTimeoutInSeconds: 9_300,
    },
    AutoRollbackConfiguration: { Alarms: [{ AlarmName: 'a' }, { AlarmName: 'b' }] },
  });
});

test('without guardrails it names no policy', async () => {
  expect(await update({ guardrails: false })).toBeUndefined();
});

const describe = async (
  variants: readonly (readonly PendingProductionVariantSummary['VariantStatus'][])[],
) => {
  client.on(DescribeEndpointCommand).resolves({
    EndpointName: 'e',
    EndpointArn: 'arn',
    EndpointConfigName: 'old',
    EndpointStatus: 'Updating',
    CreationTime: new Date(0),
    LastModifiedTime: new Date(0),
    PendingDeploymentSummary: {
      EndpointConfigName: 'new',
      ProductionVariants: variants.map(([VariantStatus]) => ({ VariantName: 'v', VariantStatus })),
    },
  });
  return (await endpoints().describe('e'))?.bakingConfigName;
};

test('the configuration of an update bakes when all its variants do', async () => {
  const baking = [{ Status: 'Baking' as const }];
  expect(await describe([[baking]])).toBe('new');
  expect(await describe([[baking], [[{ Status: 'ActivatingTraffic' as const }]]])).toBeUndefined();
  expect(await describe([[undefined]])).toBeUndefined();
  expect(await describe([])).toBeUndefined();
});
