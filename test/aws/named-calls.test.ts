import { Readable } from 'node:stream';
import { CreateModelCommand, SageMakerClient } from '@aws-sdk/client-sagemaker';
import { afterEach, expect, test, vi } from 'vitest';
import { named } from '../../src/aws/calls/named-calls.ts';

const KEYS = { accessKeyId: 'a', secretAccessKey: 'b' };
const COMMAND = new CreateModelCommand({ ModelName: 'm', ExecutionRoleArn: 'arn' });

/** SageMaker that answers with an error of this name. */
function refusing(name: string): SageMakerClient {
  const body = JSON.stringify({ __type: name, message: 'Rate exceeded' });
  const handle = async () => ({
    response: { statusCode: 400, headers: {}, body: Readable.from([Buffer.from(body)]) },
  });
  return new SageMakerClient({
    region: 'us-east-1',
    credentials: KEYS,
    maxAttempts: 1,
    requestHandler: { handle } as never,
  });
}

afterEach(() => vi.unstubAllEnvs());

test('a throttled call is named, and keeps the name of its error', async () => {
  await expect(named(refusing('ThrottlingException')).send(COMMAND)).rejects.toMatchObject({
    name: 'ThrottlingException',
    message: 'SageMaker CreateModel: Rate exceeded',
  });
});

test('the words of other answers stay as they are', async () => {
  await expect(named(refusing('ValidationException')).send(COMMAND)).rejects.toMatchObject({
    message: 'Rate exceeded',
  });
});

test('a call without credentials is named with the profile and its settings', async () => {
  vi.stubEnv('AWS_PROFILE', 'prod');
  const client = new SageMakerClient({
    region: 'us-east-1',
    credentials: () => Promise.reject(Object.assign(new Error('none'), { name: 'CredentialsProviderError' })),
  });
  await expect(named(client).send(COMMAND)).rejects.toMatchObject({
    name: 'CredentialsProviderError',
    message:
      'SageMaker CreateModel: none, with the profile prod: see that ~/.aws/config or ~/.aws/credentials has it, with ' +
      'its region, and its source_profile if it names one',
  });
});
