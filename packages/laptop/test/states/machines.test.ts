import {
  CreateStateMachineCommand,
  DeleteStateMachineCommand,
  DescribeStateMachineCommand,
  ListStateMachinesCommand,
  ListTagsForResourceCommand,
  UpdateStateMachineCommand,
} from '@aws-sdk/client-sfn';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { jsonata, type LocalStates, localStates } from '../support/local-states.ts';

const one = jsonata({ A: { Type: 'Pass', Output: 1, End: true } });
const two = jsonata({ A: { Type: 'Pass', Output: 2, End: true } });
const FUNCTION = 'arn:aws:states:::lambda:invoke';

let stack: LocalStates;
beforeEach(async () => {
  stack = await localStates();
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

test('tags of a new machine are listed', async () => {
  const tags = [{ key: 'a', value: '1' }];
  const { stateMachineArn: resourceArn } = await stack.client.send(
    new CreateStateMachineCommand({
      name: 'm',
      definition: JSON.stringify(one),
      roleArn: 'arn:aws:iam::000000000000:role/r',
      tags,
    }),
  );
  expect((await stack.client.send(new ListTagsForResourceCommand({ resourceArn }))).tags).toEqual(tags);
});

test('lists by name in pages', async () => {
  for (const name of ['c', 'a', 'b']) await stack.machine(name, one);
  const first = await stack.client.send(new ListStateMachinesCommand({ maxResults: 2 }));
  const rest = await stack.client.send(new ListStateMachinesCommand({ nextToken: first.nextToken }));
  expect([...first.stateMachines!, ...rest.stateMachines!].map(({ name }) => name)).toEqual(['a', 'b', 'c']);
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
      C: map({ Label: 'L' }, 'D'),
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
    jsonata({ A: map({ Items: [1], ItemReader: reader() }) }),
    /one of the following fields: \[Items, ItemReader\]/,
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

test.each<[what: string, states: Record<string, object>]>([
  ['Parallel', { A: { Type: 'Parallel', Branches: [], End: true } }],
  ['an inline Map', { A: map({ ItemProcessor: { StartAt: 'B', States: { B: { Type: 'Succeed' } } } }) }],
  [
    'arn:aws:lambda:us-east-1:000000000000:function:f',
    { A: task('arn:aws:lambda:us-east-1:000000000000:function:f') },
  ],
  ...[
    'lambda:invoke.waitForTaskToken',
    'states:startExecution.sync:2',
    'sagemaker:createTransformJob.sync',
    'sns:publish',
    'sqs:sendMessage',
    'aws-sdk:s3:getObject',
  ].map((call): [string, Record<string, object>] => {
    const resource = `arn:aws:states:::${call}`;
    return [resource, { A: task(resource) }];
  }),
  ['HeartbeatSeconds', { A: { ...task(FUNCTION), HeartbeatSeconds: 5 } }],
  ['Credentials', { A: { ...task(FUNCTION), Credentials: { RoleArn: 'r' } } }],
  ['BatchInput', { A: map({ ItemBatcher: { MaxItemsPerBatch: 2, BatchInput: {} } }) }],
  ['ToleratedFailureCount', { A: map({ ToleratedFailureCount: 1 }) }],
  ['any other InputType than JSON', { A: map({ ItemReader: reader({ InputType: 'CSV' }) }) }],
  ['MaxItems', { A: map({ ItemReader: reader({ InputType: 'JSON', MaxItems: 2 }) }) }],
  [
    'any other Resource here than arn:aws:states:::s3:getObject',
    { A: map({ ItemReader: { ...reader(), Resource: 'arn:aws:states:::s3:listObjectsV2' } }) },
  ],
  [
    'WriterConfig',
    { A: map({ ResultWriter: { Resource: 'arn:aws:states:::s3:putObject', WriterConfig: {} } }) },
  ],
])('refuses by name what it does not emulate: %s', async (what, states) => {
  await expect(stack.machine('m', jsonata(states))).rejects.toMatchObject({
    name: 'InvalidDefinition',
    message: expect.stringContaining(`The local stack does not emulate ${what}`) as string,
  });
});

function map(extra: object, inner = 'B'): object {
  const ProcessorConfig = { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' };
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
