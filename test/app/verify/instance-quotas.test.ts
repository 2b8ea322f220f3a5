import { expect, test } from 'vitest';
import type { VerifyServices } from '../../../src/app/verify/check.ts';
import { instanceQuotas } from '../../../src/app/verify/checks/instance-quotas.ts';
import { bucketLayout } from '../../../src/run/bucket-layout.ts';
import { memoryObjectStore } from '../../support/memory-object-store.ts';

const QUOTAS = new Map([
  ['ml.m5.xlarge for transform job usage', 1],
  ['ml.p3.8xlarge for training job usage', 1],
  ['ml.p3.8xlarge for spot training job usage', 0],
]);

test.each<[object | null, string | undefined]>([
  [null, undefined],
  [{ instances: { types: ['ml.p3.8xlarge'] } }, undefined],
  [{ instances: { types: ['ml.p3.8xlarge'], count: 2 } }, 'ml.p3.8xlarge for training job usage (1 where'],
  [
    { instances: { types: ['ml.p3.8xlarge'] }, spot: { maxWaitMinutes: 60 } },
    'ml.p3.8xlarge for spot training job usage (0 where',
  ],
])('a pipeline that trains as %j asks for quotas of its own', async (training, missing) => {
  const store = memoryObjectStore();
  const config = {
    model: { framework: 'tensorflow', frameworkVersion: '2.19.0' },
    labels: { classes: ['a', 'b'] },
    training: training && {
      framework: 'tensorflow',
      version: '2.12',
      entryPoint: 'train.py',
      ...training,
    },
  };
  store.put(bucketLayout.pipelineConfig('shapes'), JSON.stringify(config));
  const asked = {
    store,
    quotas: async () => QUOTAS,
    defaultQuotas: async () => new Map(),
  } as unknown as VerifyServices;
  const finding = await instanceQuotas.run(asked);
  expect(finding.verdict).toBe(missing === undefined ? 'ok' : 'failed');
  expect(finding.means).toContain(missing ?? '');
});

test.each([
  [{}, 1, 2],
  [{ initialInstanceCount: 4 }, 5, 8],
  [{ autoscaling: { minInstances: 1, maxInstances: 3 } }, 5, 6],
])('an endpoint with %j needs both fleets of its update', async (endpoint, tooFew, enough) => {
  const store = memoryObjectStore();
  const config = {
    model: { framework: 'tensorflow', frameworkVersion: '2.19.0' },
    labels: { classes: ['a', 'b'] },
    endpoint: { deploy: 'when-gate-passes', instanceType: 'ml.g5.xlarge', ...endpoint },
  };
  store.put(bucketLayout.pipelineConfig('shapes'), JSON.stringify(config));
  const verdictWith = async (quota: number) => {
    const quotas = async () => new Map([...QUOTAS, ['ml.g5.xlarge for endpoint usage', quota]]);
    return instanceQuotas.run({ store, quotas, defaultQuotas: quotas } as unknown as VerifyServices);
  };
  expect(await verdictWith(tooFew)).toMatchObject({
    verdict: 'failed',
    means: expect.stringContaining(`(${tooFew} where shapes needs ${enough})`),
  });
  expect((await verdictWith(enough)).verdict).toBe('ok');
});
