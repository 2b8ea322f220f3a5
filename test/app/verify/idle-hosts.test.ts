import { expect, test } from 'vitest';
import type { VerifyServices } from '../../../src/app/verify/check.ts';
import { idleHosts } from '../../../src/app/verify/checks/idle-hosts.ts';
import { bucketLayout } from '../../../src/run/bucket-layout.ts';
import { memoryEndpoints } from '../../support/memory-endpoints.ts';
import { memoryObjectStore } from '../../support/memory-object-store.ts';

/** The check where pipelines have these endpoints, and SageMaker refuses configurations of some types. */
async function checked(
  endpoints: readonly object[],
  refused: readonly string[] = [],
  name = 'ValidationException',
) {
  const store = memoryObjectStore();
  for (const [index, endpoint] of endpoints.entries())
    store.put(
      bucketLayout.pipelineConfig(`shapes${index}`),
      JSON.stringify({
        model: { framework: 'tensorflow', frameworkVersion: '2.19.0' },
        labels: { classes: ['a', 'b'] },
        endpoint,
      }),
    );
  const memory = memoryEndpoints();
  const offered: string[] = [];
  const createHostConfig: VerifyServices['components']['createHostConfig'] = async (config) => {
    offered.push(config.hardware.instanceType);
    if (refused.includes(config.hardware.instanceType))
      throw Object.assign(new Error('Min instance count needs to be greater than 0'), { name });
    await memory.components.createHostConfig(config);
  };
  const services = {
    store,
    endpoints: memory,
    components: { createHostConfig },
    id: 'V0000001',
    stack: {
      name: 'inferdrop-dev',
      account: '123456789012',
      partition: 'aws',
      resources: [{ logicalId: 'ModelRole', physicalId: 'role', type: 'AWS::IAM::Role', status: '' }],
    },
  } as unknown as VerifyServices;
  const finding = await idleHosts.run(services);
  expect([...memory.configs.keys()]).toEqual([]);
  return { finding, offered };
}
const idle = (instanceType: string) => ({ deploy: 'when-gate-passes', scaleToZero: true, instanceType });

test('the region is asked where no pipeline wants it yet, and else each of their types once', async () => {
  const other = { ...idle('ml.m5.4xlarge'), scaleToZero: false };
  expect((await checked([other])).offered).toEqual(['ml.m5.large']);
  const { finding, offered } = await checked([
    idle('ml.m5.xlarge'),
    idle('ml.g5.xlarge'),
    idle('ml.m5.xlarge'),
  ]);
  expect(offered).toEqual(['ml.m5.xlarge', 'ml.g5.xlarge']);
  expect(finding.verdict).toBe('ok');
});

test('a type that SageMaker refuses is named, with what costs nothing instead', async () => {
  const { finding } = await checked([idle('ml.m5.xlarge'), idle('ml.g5.xlarge')], ['ml.g5.xlarge']);
  expect(finding).toMatchObject({
    verdict: 'failed',
    answered: expect.stringContaining('ml.g5.xlarge: Min instance count'),
    means: expect.stringContaining('endpoint.type to "lambda" or "serverless"'),
  });
});

test('another error says nothing of the region', async () => {
  await expect(checked([], ['ml.m5.large'], 'ThrottlingException')).rejects.toThrow('Min instance');
});
