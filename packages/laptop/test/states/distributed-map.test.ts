import {
  DescribeExecutionCommand,
  DescribeMapRunCommand,
  GetExecutionHistoryCommand,
  ListExecutionsCommand,
  ListMapRunsCommand,
  StopExecutionCommand,
} from '@aws-sdk/client-sfn';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FunctionError, invoke, jsonata, type LocalStates, localStates } from '../support/local-states.ts';
import { memoryMapObjects } from '../support/memory-map-objects.ts';

let stack: LocalStates;
let objects: Map<string, string>;
let active: number;
let mostActive: number;
beforeEach(async () => {
  objects = new Map();
  active = mostActive = 0;
  stack = await localStates({
    objects: memoryMapObjects(objects),
    functions: {
      echo: (event) => event,
      odd: (n) => {
        if (n % 2 === 0) throw new FunctionError('Even', String(n));
        return n;
      },
      slow: async (n) => {
        mostActive = Math.max(mostActive, ++active);
        await new Promise((resolve) => setImmediate(resolve));
        active--;
        return n;
      },
    },
  });
});
afterEach(() => stack.close());

const map = (name: string, extra: object = {}): object => ({
  Type: 'Map',
  Label: 'Each',
  ItemProcessor: {
    ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' },
    StartAt: 'One',
    States: { One: invoke(name) },
  },
  End: true,
  ...extra,
});

async function run(name: string, extra: object, input: unknown = {}): ReturnType<LocalStates['run']> {
  const described = await stack.run(jsonata({ A: map(name, extra) }), input);
  await stack.clock.advance(0);
  return stack.describe(described.executionArn!);
}

const reader = (Key: string): object => ({
  ItemReader: {
    Resource: 'arn:aws:states:::s3:getObject',
    ReaderConfig: { InputType: 'JSON' },
    Arguments: { Bucket: 'b', Key },
  },
});

async function itemsRead(extra: object): Promise<unknown> {
  const { output, error, cause } = await run('echo', extra);
  return output === undefined ? { error, cause } : JSON.parse(output);
}

test('reads a JSON array', async () => {
  objects.set('b/k', '[1,{"a":2}]');
  expect(await itemsRead(reader('k'))).toEqual([1, { a: 2 }]);
});

test.each([
  ['{"a":1}', 'the JSON document is not an array'],
  ['[1', 'JSON'],
])('%s is not a list of items', async (body, reason) => {
  objects.set('b/k', body);
  const { error, cause } = await run('echo', reader('k'));
  expect(error).toBe('States.ItemReaderFailed');
  expect(cause).toContain(reason);
});

test('what cannot be read is States.ItemReaderFailed', async () => {
  const { error, cause } = await run('echo', reader('none'));
  expect([error, cause]).toEqual(['States.ItemReaderFailed', 'The specified key does not exist.']);
});

test('ItemSelector shapes each item', async () => {
  const selector = {
    v: '{% $states.context.Map.Item.Value %}',
    i: '{% $states.context.Map.Item.Index %}',
    all: '{% $states.input.x %}',
  };
  const { output } = await run(
    'echo',
    { Items: '{% $states.input.items %}', ItemSelector: selector },
    { items: ['a'], x: 9 },
  );
  expect(JSON.parse(output)).toEqual([{ v: 'a', i: 0, all: 9 }]);
});

test('ItemBatcher gives each child several items, and the last child what is left', async () => {
  const batcher = { ItemBatcher: { MaxItemsPerBatch: '{% $states.input.most %}' } };
  const described = await run('echo', { Items: [1, 2, 3, 4, 5], ...batcher }, { most: 2 });
  expect(JSON.parse(described.output)).toEqual([{ Items: [1, 2] }, { Items: [3, 4] }, { Items: [5] }]);
  const { mapRuns } = await stack.client.send(
    new ListMapRunsCommand({ executionArn: described.executionArn }),
  );
  const { mapRunArn } = mapRuns![0]!;
  expect(await stack.client.send(new DescribeMapRunCommand({ mapRunArn }))).toMatchObject({
    itemCounts: { total: 5, succeeded: 5, pending: 0, running: 0 },
    executionCounts: { total: 3, succeeded: 3, running: 0 },
  });
});

test.each([0, '{% 1.5 %}', '{% "many" %}'])('a batch of %s items is refused', async (MaxItemsPerBatch) => {
  const refused = run('echo', { Items: [1], ItemBatcher: { MaxItemsPerBatch } }).then(({ error }) => {
    throw new Error(error);
  });
  await expect(refused).rejects.toThrow(
    /SCHEMA_VALIDATION_FAILED|States.QueryEvaluationError|MaxItemsPerBatch/,
  );
});

test('no more than MaxConcurrency children run at once', async () => {
  const items = Array.from({ length: 20 }, (_, index) => index);
  const { output } = await run('slow', { Items: items, MaxConcurrency: 3 });
  expect([mostActive, JSON.parse(output)]).toEqual([3, items]);
});

test('one failed child is too many by default', async () => {
  const { error } = await run('odd', { Items: [1, 2, 3] });
  expect(error).toBe('States.ExceedToleratedFailureThreshold');
});

test('a map run and its children can be described', async () => {
  const { executionArn } = await run('odd', {
    Items: [1, 3, 2],
    MaxConcurrency: 1,
  });
  const { mapRuns } = await stack.client.send(new ListMapRunsCommand({ executionArn }));
  expect(mapRuns).toHaveLength(1);
  const { mapRunArn } = mapRuns![0]!;
  expect(mapRunArn).toMatch(/^arn:aws:states:us-east-1:000000000000:mapRun:m1\/Each:[\w-]{36}$/);
  const run1 = await stack.client.send(new DescribeMapRunCommand({ mapRunArn }));
  expect(run1).toMatchObject({
    status: 'FAILED',
    executionArn,
    maxConcurrency: 1,
    toleratedFailureCount: 0,
    itemCounts: { total: 3, succeeded: 2, failed: 1, pending: 0, running: 0 },
    executionCounts: { total: 3, succeeded: 2, failed: 1 },
  });
  const { executions } = await stack.client.send(
    new ListExecutionsCommand({ mapRunArn, statusFilter: 'FAILED' }),
  );
  const child = await stack.client.send(
    new DescribeExecutionCommand({ executionArn: executions![0]!.executionArn }),
  );
  expect(child).toMatchObject({
    status: 'FAILED',
    error: 'Even',
    input: '2',
    mapRunArn,
    stateMachineArn: 'arn:aws:states:us-east-1:000000000000:stateMachine:m1/Each',
  });
  const { events } = await stack.client.send(
    new GetExecutionHistoryCommand({ executionArn: child.executionArn }),
  );
  expect(events?.map(({ type }) => type)).toEqual([
    'ExecutionStarted',
    'TaskStateEntered',
    'TaskScheduled',
    'TaskStarted',
    'TaskFailed',
    'ExecutionFailed',
  ]);
});

test('a failed map run leaves its reason in the history', async () => {
  const { executionArn } = await run('odd', { Items: [2] });
  const types = (await stack.history(executionArn!)).map(({ type }) => type);
  expect(types).toEqual([
    'ExecutionStarted',
    'MapStateEntered',
    'MapStateStarted',
    'MapRunStarted',
    'MapRunFailed',
    'MapStateFailed',
    'ExecutionFailed',
  ]);
});

test('children hang on to their execution: stopping it aborts them', async () => {
  stack.functions['hangs'] = () => new Promise(() => undefined);
  const executionArn = await stack.start(
    await stack.machine('m', jsonata({ A: map('hangs', { Items: [1, 2] }) })),
  );
  await stack.client.send(new StopExecutionCommand({ executionArn }));
  const { mapRuns } = await stack.client.send(new ListMapRunsCommand({ executionArn }));
  const { status, executionCounts } = await stack.client.send(
    new DescribeMapRunCommand({ mapRunArn: mapRuns?.[0]?.mapRunArn }),
  );
  expect([status, executionCounts?.aborted]).toEqual(['ABORTED', 2]);
});

const writer = {
  ResultWriter: {
    Resource: 'arn:aws:states:::s3:putObject',
    Arguments: { Bucket: 'out', Prefix: 'results/' },
  },
};

test('ResultWriter writes a manifest and the children’s results', async () => {
  const { output } = await run('odd', { Items: [1, 3], ...writer });
  const { MapRunArn, ResultWriterDetails } = JSON.parse(output);
  const id = MapRunArn.split(':').at(-1) as string;
  expect(ResultWriterDetails).toEqual({ Bucket: 'out', Key: `results/${id}/manifest.json` });
  const read = (key: string) => JSON.parse(objects.get(`out/${key}`)!);
  const { ResultFiles, ...manifest } = read(ResultWriterDetails.Key);
  expect(manifest).toEqual({ DestinationBucket: 'out', MapRunArn });
  expect(ResultFiles.PENDING).toEqual([]);
  const succeeded = read(ResultFiles.SUCCEEDED[0].Key);
  expect(
    succeeded.map((child: { Input: string; Output: string; Status: string }) => [
      child.Input,
      child.Output,
      child.Status,
    ]),
  ).toEqual([
    ['1', '1', 'SUCCEEDED'],
    ['3', '3', 'SUCCEEDED'],
  ]);
  expect(ResultFiles.FAILED).toEqual([]);
  expect(ResultFiles.SUCCEEDED[0].Size).toBe(
    Buffer.byteLength(objects.get(`out/${ResultFiles.SUCCEEDED[0].Key}`)!),
  );
});

test('a failed map run has written its results all the same', async () => {
  const { error } = await run('odd', { Items: [1, 2], MaxConcurrency: 1, ...writer });
  expect(error).toBe('States.ExceedToleratedFailureThreshold');
  expect([...objects.keys()].map((key) => key.split('/').at(-1)).sort()).toEqual([
    'FAILED_0.json',
    'SUCCEEDED_0.json',
    'manifest.json',
  ]);
  const [, failed] = [...objects].find(([key]) => key.endsWith('FAILED_0.json'))!;
  expect(JSON.parse(failed)[0]).toMatchObject({ Input: '2', Error: 'Even', Status: 'FAILED' });
});

test('a result over 256 KiB is States.DataLimitExceeded, and a ResultWriter is the remedy', async () => {
  stack.functions['large'] = () => 'x'.repeat(100_000);
  const { error, cause } = await run('large', { Items: [1, 2, 3] });
  expect([error, cause.endsWith('Use a ResultWriter.')]).toEqual(['States.DataLimitExceeded', true]);
  expect((await run('large', { Items: [1, 2, 3], ...writer })).status).toBe('SUCCEEDED');
});

test('no items, no children', async () => {
  expect(await itemsRead({ Items: [] })).toEqual([]);
});

test.each([[{ MaxConcurrency: '{% 1.5 %}' }, 'must give a whole number from 0 to 10000, gave 1.5']])(
  'a setting out of range fails the state: %j',
  async (extra, message) => {
    const { status, error, cause } = await run('echo', { Items: [1], ...extra });
    expect([status, error]).toEqual(['FAILED', 'States.QueryEvaluationError']);
    expect(cause).toContain(message);
  },
);
