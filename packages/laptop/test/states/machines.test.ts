import {
  CreateStateMachineCommand,
  DeleteStateMachineCommand,
  DescribeStateMachineCommand,
  DescribeStateMachineForExecutionCommand,
  ListStateMachinesCommand,
  ListTagsForResourceCommand,
  TagResourceCommand,
  UntagResourceCommand,
  UpdateStateMachineCommand,
  ValidateStateMachineDefinitionCommand,
} from '@aws-sdk/client-sfn';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { jsonata, type LocalStates, localStates } from '../support/local-states.ts';
import { memorySdk } from '../support/memory-sdk.ts';

const one = jsonata({ A: { Type: 'Pass', Output: 1, End: true } });
const two = jsonata({ A: { Type: 'Pass', Output: 2, End: true } });
const FUNCTION = 'arn:aws:lambda:us-east-1:000000000000:function:f';

let stack: LocalStates;
beforeEach(async () => {
  stack = await localStates({ sdk: memorySdk(new Map()) });
});
afterEach(() => stack.close());

test('creating the same machine again gives the same ARN', async () => {
  expect(await stack.machine('m', one)).toBe(await stack.machine('m', one));
});

test('another definition under the same name is refused', async () => {
  await stack.machine('m', one);
  await expect(stack.machine('m', two)).rejects.toMatchObject({ name: 'StateMachineAlreadyExists' });
});

test('an express machine is refused', async () => {
  const command = new CreateStateMachineCommand({
    name: 'm',
    definition: JSON.stringify(one),
    roleArn: 'arn:aws:iam::000000000000:role/r',
    type: 'EXPRESS',
  });
  await expect(stack.client.send(command)).rejects.toMatchObject({ name: 'StateMachineTypeNotSupported' });
});

test('an update counts for executions started after it', async () => {
  const machine = await stack.machine(
    'm',
    jsonata({ A: { Type: 'Wait', Seconds: 1, Next: 'B' }, B: { Type: 'Pass', Output: 1, End: true } }),
  );
  const before = await stack.start(machine);
  await stack.client.send(
    new UpdateStateMachineCommand({ stateMachineArn: machine, definition: JSON.stringify(two) }),
  );
  const after = await stack.start(machine);
  await stack.clock.advance(1000);
  expect([(await stack.describe(before)).output, (await stack.describe(after)).output]).toEqual(['1', '2']);
  const { definition } = await stack.client.send(
    new DescribeStateMachineForExecutionCommand({ executionArn: before }),
  );
  expect(definition).toContain('Wait');
});

test('describes what was created', async () => {
  const definition = JSON.stringify(one);
  const destinations = [
    { cloudWatchLogsLogGroup: { logGroupArn: 'arn:aws:logs:us-east-1:000000000000:log-group:g:*' } },
  ];
  const loggingConfiguration = { level: 'ERROR', includeExecutionData: true, destinations } as const;
  const settings = {
    name: 'm',
    definition,
    roleArn: 'arn:aws:iam::000000000000:role/r',
    loggingConfiguration,
    tracingConfiguration: { enabled: true },
  };
  const { stateMachineArn } = await stack.client.send(new CreateStateMachineCommand(settings));
  const found = await stack.client.send(new DescribeStateMachineCommand({ stateMachineArn }));
  expect(found).toMatchObject({ ...settings, type: 'STANDARD', status: 'ACTIVE' });
});

test('a deleted machine is gone', async () => {
  const stateMachineArn = await stack.machine('m', one);
  await stack.client.send(new DeleteStateMachineCommand({ stateMachineArn }));
  await expect(stack.client.send(new DescribeStateMachineCommand({ stateMachineArn }))).rejects.toMatchObject(
    {
      name: 'StateMachineDoesNotExist',
    },
  );
});

test('lists by name in pages', async () => {
  for (const name of ['c', 'a', 'b']) await stack.machine(name, one);
  const first = await stack.client.send(new ListStateMachinesCommand({ maxResults: 2 }));
  const rest = await stack.client.send(new ListStateMachinesCommand({ nextToken: first.nextToken }));
  expect([...first.stateMachines!, ...rest.stateMachines!].map(({ name }) => name)).toEqual(['a', 'b', 'c']);
});

test('tags come and go', async () => {
  const resourceArn = await stack.machine('m', one);
  await stack.client.send(
    new TagResourceCommand({
      resourceArn,
      tags: [
        { key: 'a', value: '1' },
        { key: 'b', value: '2' },
      ],
    }),
  );
  await stack.client.send(new UntagResourceCommand({ resourceArn, tagKeys: ['a'] }));
  expect((await stack.client.send(new ListTagsForResourceCommand({ resourceArn }))).tags).toEqual([
    { key: 'b', value: '2' },
  ]);
});

test.each([
  [
    { StartAt: 'A', States: { A: { Type: 'Pass', End: true } } },
    /its QueryLanguage is JSONPath .* at \/States\/A/,
  ],
  [{ ...one, QueryLanguage: 'JSONPath' }, /JSONPath is not emulated.* at \/QueryLanguage/],
  [
    jsonata({ A: { Type: 'Pass', InputPath: '$.a', End: true } }),
    /field 'InputPath' is only supported for the 'JSONPath' QueryLanguage \(use Arguments\) at \/States\/A/,
  ],
  [
    jsonata({ A: { Type: 'Pass', Output: { 'x.$': '$.a' }, End: true } }),
    /field 'x\.\$' is only supported for the 'JSONPath' QueryLanguage .* at \/States\/A\/Output/,
  ],
  [
    jsonata({ A: { Type: 'Choice', Choices: [{ Variable: '$.a', Next: 'B' }] }, B: { Type: 'Succeed' } }),
    /field 'Variable' is only supported for the 'JSONPath' QueryLanguage .* at \/States\/A\/Choices\[0\]/,
  ],
  [
    jsonata({ A: { Type: 'Pass' } }),
    /SCHEMA_VALIDATION_FAILED: This object should have only one of the following fields: \[Next, End\] at \/States\/A/,
  ],
  [
    jsonata({ A: { Type: 'Pass', Next: 'B' } }),
    /MISSING_TRANSITION_TARGET: Missing 'Next' target: B at \/States\/A\/Next/,
  ],
  [
    jsonata({ A: { Type: 'Pass', End: true }, B: { Type: 'Succeed' } }),
    /MISSING_TRANSITION_TARGET: State "B" is not reachable\. at \/States\/B/,
  ],
  [
    jsonata({ A: { Type: 'Pass', Outputs: 1, End: true } }),
    /Field 'Outputs' is not supported at \/States\/A/,
  ],
  [
    jsonata({ A: { Type: 'Pause', End: true } }),
    /Value should be one of the following: \[Pass, Task.* at \/States\/A\/Type/,
  ],
  [
    jsonata({ A: { Type: 'Pass', Output: '{% 1 + %}', End: true } }),
    /Unexpected end of expression in .* at \/States\/A\/Output/,
  ],
  [
    jsonata({ A: task('arn:aws:states:::sagemaker:createTransformJob.sync') }),
    /sagemaker:createTransformJob\.sync is not recognized.*The local stack runs/,
  ],
  [
    jsonata({ A: task('arn:aws:states:::aws-sdk:dynamodb:getItem') }),
    /with a service of s3, sfn, sagemaker, sns, sqs/,
  ],
  [jsonata({ A: task('arn:aws:states:::aws-sdk:s3:getObjekt') }), /s3 has no action 'getObjekt'/],
  [
    jsonata({ A: task('arn:aws:states:us-east-1:000000000000:activity:a') }),
    /is not recognized\..*Give a Lambda function's ARN/,
  ],
  [jsonata({ A: { Type: 'Pass', End: true } }, { StartAt: 'B' }), /Missing 'Next' target: B at \/StartAt/],
  [
    jsonata({ A: { Type: 'Pass', Next: 'B' }, B: { Type: 'Pass', Next: 'A' } }),
    /'MISSING_END_STATE: Workflow has no terminal state'/,
  ],
  [
    jsonata({ A: { Type: 'Pass', Output: '{% 1 ', End: true } }),
    /JSONata string must start with \{% and end with %\} at \/States\/A\/Output/,
  ],
  [
    jsonata({ ['n'.repeat(81)]: { Type: 'Pass', End: true } }),
    /INVALID_STATE_NAME: .* exceeds the 80-character limit allowed by the service/,
  ],
  [
    jsonata({
      A: { ...map({ Label: 'L' }), End: undefined, Next: 'C' },
      C: map({ Label: 'L' }, 'DISTRIBUTED', 'D'),
    }),
    /DUPLICATE_LABEL_NAME: Duplicate Label name: L at \/States\/C\/Label/,
  ],
  [
    jsonata({ A: map({ Label: 'l'.repeat(41) }) }),
    /INVALID_LABEL_NAME: .* exceeds the 40-character limit allowed by the service/,
  ],
  [
    jsonata({
      A: map({
        ItemProcessor: {
          ProcessorConfig: { Mode: 'DISTRIBUTED' },
          StartAt: 'B',
          States: { B: { Type: 'Succeed' } },
        },
      }),
    }),
    /These fields are required: \[ExecutionType\] at \/States\/A\/ItemProcessor\/ProcessorConfig/,
  ],
  [
    jsonata({ A: { Type: 'Wait', End: true } }),
    /only one of the following fields: \[Seconds, Timestamp\] at \/States\/A/,
  ],
  [
    jsonata({ A: map({ ItemBatcher: { MaxItemsPerBatch: 2 } }, 'INLINE') }),
    /Field 'ItemBatcher' is not supported without "ProcessorConfig"/,
  ],
  [
    jsonata({ A: map({ Items: [1], ItemReader: reader() }) }),
    /one of the following fields: \[Items, ItemReader\]/,
  ],
  [jsonata({ A: map({ ItemBatcher: {} }) }), /needs MaxItemsPerBatch or MaxInputBytesPerBatch/],
  [jsonata({ A: map({ ResultWriter: { Resource: 'arn:aws:states:::s3:getObject' } }) }), /s3:putObject/],
  [
    jsonata({ A: map({ ItemReader: { ...reader(), Resource: 'arn:aws:states:::s3:headObject' } }) }),
    /The field 'Resource' does not match any of the allowed values: .* at \/States\/A\/ItemReader\/Resource/,
  ],
  [jsonata({ A: map({ ItemReader: reader({}) }) }), /These fields are required: \[InputType\]/],
  [
    jsonata({ A: map({ ItemReader: reader({ InputType: 'CSV' }) }) }),
    /The field 'CSVHeaderLocation' is required at \/States\/A\/ItemReader\/ReaderConfig/,
  ],
  [
    jsonata({ A: map({ ItemReader: reader({ InputType: 'CSV', CSVHeaderLocation: 'GIVEN' }) }) }),
    /These fields are required: \[CSVHeaders\]/,
  ],
  [
    jsonata({ A: { ...task(FUNCTION), TimeoutSeconds: 5, HeartbeatSeconds: 5 } }),
    /HeartbeatSeconds must be less than TimeoutSeconds \(5\), is 5/,
  ],
  [
    jsonata({
      A: { ...task(FUNCTION), Retry: [{ ErrorEquals: ['States.ALL', 'X'] }, { ErrorEquals: ['Y'] }] },
    }),
    /States\.ALL must appear alone and at end of list at \/States\/A\/Retry\[0\]\/ErrorEquals/,
  ],
])('refuses a definition by name: %j', async (definition, message) => {
  await expect(stack.machine('m', definition)).rejects.toMatchObject({
    name: 'InvalidDefinition',
    message: expect.stringMatching(message) as string,
  });
});

function map(extra: object, Mode: 'DISTRIBUTED' | 'INLINE' = 'DISTRIBUTED', inner = 'B'): object {
  const ProcessorConfig = Mode === 'INLINE' ? { Mode } : { Mode, ExecutionType: 'STANDARD' };
  const ItemProcessor = { ProcessorConfig, StartAt: inner, States: { [inner]: { Type: 'Pass', End: true } } };
  return { Type: 'Map', ItemProcessor, End: true, ...extra };
}

function reader(ReaderConfig: object = { InputType: 'JSON' }): object {
  return { Resource: 'arn:aws:states:::s3:getObject', ReaderConfig, Arguments: { Bucket: 'b', Key: 'k' } };
}

function task(Resource: string): object {
  return { Type: 'Task', Resource, End: true };
}

test('names all problems at once', async () => {
  const definition = jsonata({ A: { Type: 'Pass', InputPath: '$', End: true }, B: { Type: 'Fly' } });
  await expect(stack.machine('m', definition)).rejects.toThrow(/\/States\/A, .*\/States\/B/);
});

test('a definition can be validated without creating it', async () => {
  const validate = (definition: object) =>
    stack.client.send(new ValidateStateMachineDefinitionCommand({ definition: JSON.stringify(definition) }));
  expect((await validate(one)).result).toBe('OK');
  const bad = await validate(jsonata({ A: { Type: 'Pass' } }));
  expect([bad.result, bad.diagnostics?.[0]?.location]).toEqual(['FAIL', '/States/A']);
});
