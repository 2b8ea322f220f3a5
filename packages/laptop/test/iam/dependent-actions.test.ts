import {
  ApplicationAutoScalingClient,
  DeregisterScalableTargetCommand,
  RegisterScalableTargetCommand,
} from '@aws-sdk/client-application-auto-scaling';
import {
  CreateEndpointCommand,
  CreateEndpointConfigCommand,
  CreateModelCommand,
  CreateTransformJobCommand,
  SageMakerClient,
  UpdateEndpointCommand,
} from '@aws-sdk/client-sagemaker';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAutoscaling } from '../../application-autoscaling/service.ts';
import { systemClock } from '../../kernel/clock.ts';
import { createS3 } from '../../s3/service.ts';
import { createSageMaker } from '../../sagemaker/service.ts';
import { allow, type LocalRoles, localRoles } from '../support/local-roles.ts';

const KEY = 'arn:aws:kms:us-east-1:000000000000:key/k';
const copies = { desired: () => undefined, unusedMs: () => 0, set: () => undefined };
const alarms = { isRinging: () => false };
let roles: LocalRoles;

beforeAll(async () => {
  const clock = systemClock;
  const bus = { put: () => undefined };
  roles = await localRoles(({ site, iam, below }) => [
    createAutoscaling({ dir: below('autoscaling'), site, clock, copies, alarms }).service,
    createSageMaker({
      dir: below('sagemaker'),
      site,
      clock,
      bus,
      roles: iam.sessions,
      objects: createS3({ dir: below('s3'), site, bus, clock }).objects,
      metrics: { put: () => undefined },
      logs: { write: () => undefined },
    }).service,
  ]);
});
afterAll(() => roles.close());

/** Clients of a function whose role has these statements. */
async function as(name: string, ...statements: unknown[]) {
  const settings = await roles.clientOf(name, ...statements);
  return {
    sagemaker: new SageMakerClient(settings),
    autoscaling: new ApplicationAutoScalingClient(settings),
  };
}

describe('Application Auto Scaling', () => {
  const target = {
    ServiceNamespace: 'sagemaker',
    ResourceId: 'endpoint/ours-1/variant/v',
    ScalableDimension: 'sagemaker:variant:DesiredInstanceCount',
  } as const;
  const register = new RegisterScalableTargetCommand({ ...target, MinCapacity: 1, MaxCapacity: 2 });
  const own = allow('application-autoscaling:*');
  const tried = [
    'sagemaker:DescribeEndpoint',
    'sagemaker:DescribeEndpointConfig',
    'sagemaker:UpdateEndpointWeightsAndCapacities',
    'cloudwatch:PutMetricAlarm',
    'cloudwatch:DescribeAlarms',
    'cloudwatch:DeleteAlarms',
  ];

  it('asks who registers a target for the right to make its own role, once', async () => {
    const roleless = await as('roleless', own, allow(tried));
    await expect(roleless.autoscaling.send(register)).rejects.toThrow('iam:CreateServiceLinkedRole');
    const service = 'sagemaker.application-autoscaling.amazonaws.com';
    const condition = { StringLike: { 'iam:AWSServiceName': service } };
    const making = allow(
      'iam:CreateServiceLinkedRole',
      `arn:aws:iam::*:role/aws-service-role/${service}/*`,
      condition,
    );
    await (await as('making', own, allow(tried), making)).autoscaling.send(register);
    await roleless.autoscaling.send(register);
  });

  it.each(tried)('tries %s with the caller’s rights, and names what is missing', async (missing) => {
    const { autoscaling } = await as('short', own, allow(tried.filter((action) => action !== missing)));
    const message = `User is missing the following permissions: ${missing}`;
    const refusal = { name: 'ValidationException', message };
    await expect(autoscaling.send(register)).rejects.toMatchObject(refusal);
    await expect(autoscaling.send(new DeregisterScalableTargetCommand(target))).rejects.toMatchObject(
      refusal,
    );
  });

  it('tries alarms without a name, and configurations of a name of its own', async () => {
    const narrow = [
      allow('sagemaker:*', 'arn:aws:sagemaker:*:*:endpoint*/ours-*'),
      allow('cloudwatch:*', 'arn:aws:cloudwatch:*:*:alarm:TargetTracking*'),
    ];
    const { autoscaling } = await as('narrow', own, ...narrow);
    const all = tried.filter((action) => action !== 'sagemaker:DescribeEndpoint').join(', ');
    await expect(autoscaling.send(register)).rejects.toThrow(`missing the following permissions: ${all}`);
  });
});

describe('the key of a transform job’s volumes', () => {
  it('is granted by the role of the model, or by who starts the job', async () => {
    const model = (name: string, roleName: string) =>
      new SageMakerClient(roles.client).send(
        new CreateModelCommand({
          ModelName: name,
          ExecutionRoleArn: `arn:aws:iam::000000000000:role/${roleName}`,
          PrimaryContainer: {
            Image: '763104351884.dkr.ecr.us-east-1.amazonaws.com/tensorflow-inference:2.19.0-cpu',
          },
        }),
      );
    const grant = allow('kms:CreateGrant', KEY);
    await as('granting', grant);
    await as('not-granting');
    await model('granted', 'granting');
    await model('not-granted', 'not-granting');
    const start = async (name: string, ModelName: string, ...statements: unknown[]) =>
      (await as(name, allow('sagemaker:*'), ...statements)).sagemaker.send(
        new CreateTransformJobCommand({
          TransformJobName: name,
          ModelName,
          TransformInput: { DataSource: { S3DataSource: { S3DataType: 'S3Prefix', S3Uri: 's3://b/in' } } },
          TransformOutput: { S3OutputPath: 's3://b/out' },
          TransformResources: { InstanceType: 'ml.m5.large', InstanceCount: 1, VolumeKmsKeyId: KEY },
        }),
      );
    await expect(start('alone', 'not-granted')).rejects.toThrow('kms:CreateGrant');
    // Past IAM: the input is looked at next.
    await expect(start('by-caller', 'not-granted', grant)).rejects.toThrow('No S3 objects found');
    await expect(start('by-role', 'granted')).rejects.toThrow('No S3 objects found');
  });
});

describe('the key of an endpoint’s volumes', () => {
  beforeAll(async () => {
    const sagemaker = new SageMakerClient(roles.client);
    const image = '763104351884.dkr.ecr.us-east-1.amazonaws.com/tensorflow-inference:2.19.0-cpu';
    await sagemaker.send(
      new CreateModelCommand({
        ModelName: 'm',
        ExecutionRoleArn: 'arn:aws:iam::000000000000:role/model',
        PrimaryContainer: { Image: image },
      }),
    );
    const variant = {
      VariantName: 'v',
      ModelName: 'm',
      InstanceType: 'ml.m5.large',
      InitialInstanceCount: 1,
    } as const;
    await sagemaker.send(
      new CreateEndpointConfigCommand({
        EndpointConfigName: 'c',
        KmsKeyId: KEY,
        ProductionVariants: [variant],
      }),
    );
  });
  const own = allow('sagemaker:*');
  const names = { EndpointName: 'e', EndpointConfigName: 'c' };
  const forService = (value: string) =>
    allow('kms:CreateGrant', KEY, { Bool: { 'kms:GrantIsForAWSResource': value } });

  it.each([
    ['CreateEndpoint', new CreateEndpointCommand(names)],
    ['UpdateEndpoint', new UpdateEndpointCommand(names)],
  ] as const)('is granted by who calls %s', async (_, command) => {
    const send = async (name: string, ...statements: unknown[]) =>
      (await as(name, own, ...statements)).sagemaker.send(command as CreateEndpointCommand);
    const describing = allow('kms:DescribeKey', KEY);
    await expect(send('none')).rejects.toThrow('kms:DescribeKey');
    await expect(send('describing', describing)).rejects.toThrow('kms:CreateGrant');
    await expect(send('for-people', describing, forService('false'))).rejects.toThrow('kms:CreateGrant');
    await expect(
      send('stranger', describing, { ...forService('true'), Resource: `${KEY}2` }),
    ).rejects.toThrow('kms:CreateGrant');
  });
});
