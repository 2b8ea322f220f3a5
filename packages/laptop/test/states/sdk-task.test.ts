import { afterEach, beforeEach, expect, test } from 'vitest';
import { SdkFailure } from '../../states/tasks/sdk-calls.ts';
import { jsonata, type LocalStates, localStates } from '../support/local-states.ts';
import { memorySdk } from '../support/memory-sdk.ts';

let stack: LocalStates;
let sent: unknown[];
const objects = new Map<string, string>();
beforeEach(async () => {
  sent = [];
  objects.clear();
  const sdk = memorySdk(objects, {
    'sfn:describeExecution': (input) => {
      sent.push(input);
      return { executionArn: 'arn', startDate: new Date(0), inputDetails: { included: true } };
    },
    'sagemaker:stopTransformJob': () => {
      throw new SdkFailure('ValidationException', false, 'no such job');
    },
    'sns:publish': (input) => {
      sent.push(input);
      return { MessageId: 'm1' };
    },
    'sqs:sendMessage': () => {
      throw new SdkFailure('QueueDoesNotExist', true, 'no queue');
    },
  });
  stack = await localStates({ sdk });
});
afterEach(() => stack.close());

const task = (resource: string, Arguments: object): object =>
  jsonata({ A: { Type: 'Task', Resource: `arn:aws:states:::${resource}`, Arguments, End: true } });

test('s3:getObject gives the body as text', async () => {
  objects.set('b/k', '{"a":1}');
  const { output } = await stack.run(task('aws-sdk:s3:getObject', { Bucket: 'b', Key: 'k' }));
  expect(JSON.parse(output)).toEqual({ Body: '{"a":1}' });
});

test('s3:putObject writes an object given as Body as JSON', async () => {
  await stack.run(
    task('aws-sdk:s3:putObject', { Bucket: 'b', Key: 'k', Body: { a: '{% $states.input.n %}' } }),
    { n: 2 },
  );
  expect(objects.get('b/k')).toBe('{"a":2}');
});

test('errors have the names of the Java SDK', async () => {
  const s3 = await stack.run(task('aws-sdk:s3:getObject', { Bucket: 'b', Key: 'none' }));
  const sagemaker = await stack.run(task('aws-sdk:sagemaker:stopTransformJob', { TransformJobName: 'j' }));
  const sqs = await stack.run(task('sqs:sendMessage', { QueueUrl: 'q', MessageBody: 'm' }));
  expect([s3.error, sagemaker.error, sqs.error]).toEqual([
    'S3.NoSuchKeyException',
    'SageMaker.SageMakerException',
    'SQS.QueueDoesNotExistException',
  ]);
});

test('Step Functions’ own API is in PascalCase too', async () => {
  const { output } = await stack.run(task('aws-sdk:sfn:describeExecution', { ExecutionArn: 'x' }));
  expect(sent).toEqual([{ executionArn: 'x' }]);
  expect(JSON.parse(output)).toEqual({
    ExecutionArn: 'arn',
    StartDate: '1970-01-01T00:00:00.000Z',
    InputDetails: { Included: true },
  });
});

test('camelCase parameters are refused, as in AWS', async () => {
  const { error, cause } = await stack.run(task('aws-sdk:sfn:describeExecution', { executionArn: 'x' }));
  expect([error, cause]).toEqual([
    'States.Runtime',
    "The field 'executionArn' is not supported by aws-sdk:sfn:describeExecution: fields are in PascalCase.",
  ]);
});

test('sns:publish sends an object as JSON text', async () => {
  const { output } = await stack.run(task('sns:publish', { TopicArn: 't', Message: { a: 1 } }));
  expect(sent).toEqual([{ TopicArn: 't', Message: '{"a":1}' }]);
  expect(JSON.parse(output)).toEqual({ MessageId: 'm1' });
});
