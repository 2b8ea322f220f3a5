import {
  CreateTransformJobCommand,
  type CreateTransformJobCommandInput,
  DescribeTransformJobCommand,
  StopTransformJobCommand,
} from '@aws-sdk/client-sagemaker';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { jobInput, localTransforms } from './local-sagemaker.ts';

let stack: Awaited<ReturnType<typeof localTransforms>>;
beforeAll(async () => {
  stack = await localTransforms(() => 'ok');
  stack.objects.put('in/a', 'a');
});
afterAll(() => stack.close());

const refused = (changes: Partial<CreateTransformJobCommandInput>) =>
  stack.client.send(new CreateTransformJobCommand(jobInput('refused', changes))).then(
    () => undefined,
    (error: Error) => `${error.name}: ${error.message}`,
  );
const from = (S3DataType: 'S3Prefix' | 'ManifestFile' | 'AugmentedManifestFile', S3Uri: string) => ({
  TransformInput: { DataSource: { S3DataSource: { S3DataType, S3Uri } } },
});

test('a model that does not exist is refused', async () => {
  expect(await refused({ ModelName: 'none' })).toBe(
    'ValidationException: Could not find model "arn:aws:sagemaker:us-east-1:000000000000:model/none".',
  );
});

test.each(['s3://bucket/nothing/', 's3://no-such-bucket/in/'])(
  'a prefix without objects is refused: %s',
  async (uri) => {
    expect(await refused(from('S3Prefix', uri))).toContain(
      `ValidationException: No S3 objects found under S3 URL "${uri}" given in input data source. Please ensure that ` +
        'the bucket exists in the selected region (us-east-1)',
    );
  },
);

test('concurrency times payload must be at most 100 MB', async () => {
  expect(await refused({ MaxConcurrentTransforms: 20, MaxPayloadInMB: 6 })).toContain('20 * 6 = 120');
});

test('an instance type outside of the enumeration is refused', async () => {
  const TransformResources = { InstanceType: 'ml.t3.medium' as 'ml.m5.large', InstanceCount: 1 };
  expect(await refused({ TransformResources })).toContain(
    "1 validation error detected: Value 'ml.t3.medium' at 'transformResources.instanceType' failed to satisfy constraint",
  );
});

test('every family of the enumeration has its own sizes', async () => {
  const ask = (InstanceType: string) =>
    refused({
      TransformResources: { InstanceType: InstanceType as 'ml.m5.large', InstanceCount: 1 },
      ModelName: 'none',
    });
  expect(await ask('ml.g6e.xlarge')).toContain('Could not find model');
  expect(await ask('ml.g6.metal')).toContain(
    'Member must satisfy enum value set: [ml.m4.xlarge, ml.m4.2xlarge',
  );
});

test('odd tags and keys are refused in the words of AWS', async () => {
  expect(await refused({ Tags: [{ Key: 'a?', Value: 'x' }] })).toContain(
    "Value 'a?' at 'tags.1.member.key' failed to satisfy constraint: Member must satisfy regular expression pattern: " +
      '([\\p{L}\\p{Z}\\p{N}_.:/=+\\-@]*)',
  );
  expect(await refused({ TransformOutput: { S3OutputPath: 's3://bucket/out', KmsKeyId: 'a b' } })).toContain(
    "Value 'a b' at 'transformOutput.kmsKeyId' failed to satisfy constraint",
  );
});

test('every violated constraint is named', async () => {
  const message = await refused({ MaxPayloadInMB: -1, ModelClientConfig: { InvocationsMaxRetries: 4 } });
  expect(message).toBe(
    "ValidationException: 2 validation errors detected: Value '4' at 'modelClientConfig.invocationsMaxRetries' failed " +
      "to satisfy constraint: Member must have value less than or equal to 3; Value '-1' at 'maxPayloadInMB' failed to " +
      'satisfy constraint: Member must have value greater than or equal to 0',
  );
});

test('more than 16 variables are refused', async () => {
  const Environment = Object.fromEntries(Array.from({ length: 17 }, (_, index) => [`V${index}`, '']));
  expect(await refused({ Environment })).toContain('Member must have length less than or equal to 16');
});

test('augmented manifests are refused', async () => {
  expect(await refused(from('AugmentedManifestFile', 's3://bucket/in/a'))).toContain(
    'AugmentedManifestFile is not supported',
  );
});

test('filters need equal content types', async () => {
  expect(await refused({ DataProcessing: { JoinSource: 'Input' } })).toContain(
    'DataProcessing needs the same ContentType and Accept, are application/x-image and application/json',
  );
});

test('a name stays taken after the job has ended', async () => {
  await stack.run('twice');
  await expect(stack.run('twice')).rejects.toMatchObject({ name: 'ResourceInUse' });
});

test('stopping what has ended, or never was, is refused', async () => {
  await stack.run('ended');
  const stop = (TransformJobName: string) =>
    stack.client.send(new StopTransformJobCommand({ TransformJobName }));
  await expect(stop('ended')).rejects.toThrow(
    'The request was rejected because the transform job is in status Completed',
  );
  await expect(stop('never')).rejects.toThrow('Could not find job to update with name never');
});

test('describing what never was is refused', async () => {
  const describe = stack.client.send(new DescribeTransformJobCommand({ TransformJobName: 'never' }));
  await expect(describe).rejects.toMatchObject({ name: 'ResourceNotFound' });
});

test('a manifest that names nothing is refused', async () => {
  stack.objects.put('manifest', ' [ {"prefix": "s3://bucket/in/"} ]\n');
  expect(await refused(from('ManifestFile', 's3://bucket/manifest'))).toContain('No S3 objects found');
});
