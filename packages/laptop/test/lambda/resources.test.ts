import { GetFunctionCommand, LambdaClient, ListFunctionsCommand } from '@aws-sdk/client-lambda';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type LocalMessaging, localMessaging, zip } from '../support/local-messaging.ts';

let stack: LocalMessaging;
beforeEach(async () => void (stack = await localMessaging()));
afterEach(() => stack.close());

test('a function is shown as it was made', async () => {
  await stack.makeFunction('shown', 'export const handler = () => 1', {
    Timeout: '30',
    MemorySize: 512,
    Architectures: ['arm64'],
    TracingConfig: { Mode: 'Active' },
  });
  const lambda = new LambdaClient(stack.client);
  const { Configuration } = await lambda.send(new GetFunctionCommand({ FunctionName: 'shown' }));
  expect(Configuration).toMatchObject({
    FunctionName: 'shown',
    FunctionArn: 'arn:aws:lambda:us-east-1:000000000000:function:shown',
    Timeout: 30,
    MemorySize: 512,
    Architectures: ['arm64'],
    State: 'Active',
  });
  expect((await lambda.send(new ListFunctionsCommand({}))).Functions).toHaveLength(1);
});

test.each([
  [{ Layers: ['arn'] }, 'property Layers of AWS::Lambda::Function is not understood by this stack'],
  [
    { LoggingConfig: { Format: 'JSON' } },
    'property LoggingConfig.Format of AWS::Lambda::Function is not understood',
  ],
  [{ Runtime: 'python3.13' }, 'property Runtime is "python3.13": this stack runs nodejs20.x'],
  [
    { Timeout: 901 },
    "Value '901' at 'timeout' failed to satisfy constraint: Member must have value less than or equal to 900",
  ],
  [{ Handler: 'index' }, 'property Handler is "index": must be like path/file.export'],
])('%j is refused by name', async (properties, message) => {
  await expect(stack.makeFunction('bad', 'export const handler = () => 1', properties)).rejects.toMatchObject(
    {
      name: 'ValidationError',
      message: expect.stringContaining(message),
    },
  );
});

test('a version is not published, and not found', async () => {
  await stack.makeFunction('plain', 'export const handler = async (_, c) => c.functionVersion');
  const call = async (target: string) =>
    (await stack.lambda.functions.invoke(target, Buffer.from('{}'))).payload.toString();
  expect(await call('plain')).toBe('"$LATEST"');
  await expect(call('plain:1')).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
});

const Code = { S3Bucket: 'code', S3Key: 'evil.zip' };
const handler = { Handler: 'index.handler', Runtime: 'nodejs24.x', Role: 'r', Code };

test('an archive with an entry that would leave its folder is refused', async () => {
  const good = await zip({ 'aa/evil.mjs': 'x' });
  const evil = Buffer.from(good.toString('latin1').replaceAll('aa/evil.mjs', '../evil.mjs'), 'latin1');
  stack.putArchive('evil.zip', evil);
  await expect(stack.make('AWS::Lambda::Function', handler)).rejects.toThrow(
    /Could not unzip .*\.\.\/evil\.mjs/,
  );
});

test.each([
  [24, 2, 'must have 2 bytes, has 1'],
  [10, 12, 'must be stored or deflated, and not encrypted'],
  [8, 1, 'must be stored or deflated, and not encrypted'],
])('an archive whose directory has at %j %j is refused', async (offset, value, words) => {
  const archive = await zip({ 'index.mjs': 'x' });
  archive.writeUInt16LE(value, archive.indexOf('PK\u0001\u0002') + offset);
  stack.putArchive('evil.zip', archive);
  await expect(stack.make('AWS::Lambda::Function', handler)).rejects.toThrow(words);
});

test('a file that is not an archive, or is not there, is refused', async () => {
  await expect(stack.make('AWS::Lambda::Function', handler)).rejects.toThrow(
    's3://code/evil.zip does not exist',
  );
  stack.putArchive('evil.zip', Buffer.from('not a zip'));
  await expect(stack.make('AWS::Lambda::Function', handler)).rejects.toThrow(/Could not unzip/);
});
