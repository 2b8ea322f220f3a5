import { expect, it } from 'vitest';
import type { VerifyServices } from '../../../src/app/verify/check.ts';
import { gpu } from '../../../src/app/verify/checks/gpu.ts';
import { bucketLayout } from '../../../src/run/bucket-layout.ts';
import { memoryObjectStore } from '../../support/memory-object-store.ts';
import { memorySageMaker } from '../../support/memory-sagemaker.ts';

const clock = () => new Date('2026-11-23T12:00:00Z');
const AMI = 'al2-ami-sagemaker-batch-gpu-535';

/** The check in a stack with one pipeline on these types; jobs that are not stopped answer with a driver. */
async function checked(instanceTypes: readonly string[]) {
  const store = memoryObjectStore();
  const config = {
    model: { framework: 'tensorflow', frameworkVersion: '2.19.0' },
    labels: { classes: ['a', 'b'] },
    transform: { instanceTypes },
  };
  store.put(bucketLayout.pipelineConfig('shapes'), JSON.stringify(config));
  const sagemaker = memorySageMaker({ clock });
  const services = {
    store,
    sagemaker: {
      ...sagemaker,
      stopTransformJob: async (name: string) => sagemaker.update(name, { status: 'Stopped' }),
    },
    clock,
    id: 'V0000001',
    pollMs: 1,
    wait: async (ms: number) => {
      if (ms === 0) return;
      for (const [name, { spec }] of sagemaker.jobs)
        if (spec.instanceType === 'ml.g4dn.xlarge') {
          sagemaker.update(name, { status: 'Completed' });
          const key = `${spec.outputUri.replace(/^s3:\/\/[^/]+\//, '')}/ask.txt.out`;
          store.put(key, 'Driver Version: 535.183.01 CUDA Version: 12.2');
        }
    },
    stack: {
      name: 'inferdrop-dev',
      isAws: true,
      account: '123456789012',
      partition: 'aws',
      region: 'eu-west-1',
      resources: [{ logicalId: 'ModelRole', physicalId: 'role', type: 'AWS::IAM::Role', status: '' }],
      description: { parameters: new Map(), outputs: new Map() },
    },
  } as unknown as VerifyServices;
  const finding = await gpu.run(services);
  const jobs = [...sagemaker.jobs.values()].map(({ spec }) => [spec.instanceType, spec.amiVersion]);
  return { finding, jobs };
}

it('the judged job names the machine image that runs name', async () => {
  const { finding, jobs } = await checked(['ml.m5.large']);
  expect(jobs).toEqual([['ml.g4dn.xlarge', AMI]]);
  expect(finding).toMatchObject({ verdict: 'ok', answered: `${AMI}: driver 535.183.01, CUDA 12.2` });
});

it('each further GPU family of a pipeline is asked for once, and its job stopped', async () => {
  const { finding, jobs } = await checked(['ml.g5.xlarge', 'ml.g5.2xlarge', 'ml.g4dn.2xlarge']);
  expect(jobs).toEqual([
    ['ml.g4dn.xlarge', AMI],
    ['ml.g5.2xlarge', AMI],
  ]);
  expect(finding.answered).toContain(`ml.g5.2xlarge is offered with ${AMI}`);
});
