import { gzipSync } from 'node:zlib';
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
import { memorySdk } from '../support/memory-sdk.ts';

let stack: LocalStates;
let objects: Map<string, string | Buffer>;
let active: number;
let mostActive: number;
beforeEach(async () => {
  objects = new Map();
  active = mostActive = 0;
  stack = await localStates({
    sdk: memorySdk(objects),
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

const getObject = (Key: string, ReaderConfig: object): object => ({
  ItemReader: { Resource: 'arn:aws:states:::s3:getObject', ReaderConfig, Arguments: { Bucket: 'b', Key } },
});

async function itemsRead(extra: object): Promise<unknown> {
  const { output, error, cause } = await run('echo', extra);
  return output === undefined ? { error, cause } : JSON.parse(output);
}

test('reads a JSON array', async () => {
  objects.set('b/k', '[1,{"a":2}]');
  expect(await itemsRead(getObject('k', { InputType: 'JSON' }))).toEqual([1, { a: 2 }]);
});

test('reads an array inside a JSON document', async () => {
  objects.set('b/k', '{"a":{"b~/c":[3]}}');
  expect(await itemsRead(getObject('k', { InputType: 'JSON', ItemsPointer: '/a/b~0~1c' }))).toEqual([3]);
});

test('reads JSON Lines, and no more than MaxItems', async () => {
  objects.set('b/k', '{"n":1}\n{"n":2}\n\n{"n":3}\n');
  expect(await itemsRead(getObject('k', { InputType: 'JSONL', MaxItems: 2 }))).toEqual([{ n: 1 }, { n: 2 }]);
});

test('reads CSV with its header, quotes and line ends', async () => {
  objects.set('b/k', 'a,b\r\n1,"x, ""y""\nz"\r\n2\r\n');
  expect(await itemsRead(getObject('k', { InputType: 'CSV', CSVHeaderLocation: 'FIRST_ROW' }))).toEqual([
    { a: '1', b: 'x, "y"\nz' },
    { a: '2', b: '' },
  ]);
});

test('reads CSV with a given header and another delimiter', async () => {
  objects.set('b/k', '1|2\n');
  const config = {
    InputType: 'CSV',
    CSVHeaderLocation: 'GIVEN',
    CSVHeaders: ['a', 'b'],
    CSVDelimiter: 'PIPE',
  };
  expect(await itemsRead(getObject('k', config))).toEqual([{ a: '1', b: '2' }]);
});

test('reads the rows of an S3 inventory', async () => {
  objects.set(
    'b/manifest.json',
    JSON.stringify({ fileFormat: 'CSV', fileSchema: 'Bucket, Key, Size', files: [{ key: 'd.csv.gz' }] }),
  );
  objects.set('b/d.csv.gz', gzipSync('"b","k1","3"\n'));
  expect(await itemsRead(getObject('manifest.json', { InputType: 'MANIFEST' }))).toEqual([
    { Bucket: 'b', Key: 'k1', Size: '3' },
  ]);
});

test('lists objects, over pages', async () => {
  for (const key of ['p/1', 'p/2', 'p/3', 'q']) objects.set(`b/${key}`, 'x');
  const reader = { Resource: 'arn:aws:states:::s3:listObjectsV2', Arguments: { Bucket: 'b', Prefix: 'p/' } };
  const items = (await itemsRead({ ItemReader: reader })) as { Key: string }[];
  expect(items.map(({ Key }) => Key)).toEqual(['p/1', 'p/2', 'p/3']);
  expect(items[0]).toEqual({
    Etag: '"etag"',
    Key: 'p/1',
    LastModified: 1767225600,
    Size: 1,
    StorageClass: 'STANDARD',
  });
});

test('what cannot be read is States.ItemReaderFailed', async () => {
  const { error, cause } = await run('echo', getObject('none', { InputType: 'JSON' }));
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

test('ItemBatcher makes batches with a common part', async () => {
  const batcher = {
    MaxItemsPerBatch: '{% $states.input.size %}',
    BatchInput: { run: '{% $states.input.run %}' },
  };
  const { output } = await run('echo', { Items: [1, 2, 3], ItemBatcher: batcher }, { size: 2, run: 'r' });
  expect(JSON.parse(output)).toEqual([
    { BatchInput: { run: 'r' }, Items: [1, 2] },
    { BatchInput: { run: 'r' }, Items: [3] },
  ]);
});

test('MaxInputBytesPerBatch counts the whole input of the child', async () => {
  // {"Items":["aa","bb"]} has 21 bytes.
  const batches = async (bytes: number): Promise<unknown> => {
    const { output } = await run('echo', {
      Items: ['aa', 'bb', 'cc'],
      ItemBatcher: { MaxInputBytesPerBatch: bytes },
    });
    return (JSON.parse(output) as { Items: unknown[] }[]).map(({ Items }) => Items.length);
  };
  expect([await batches(21), await batches(20)]).toEqual([
    [2, 1],
    [1, 1, 1],
  ]);
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

test.each([
  [{ ToleratedFailureCount: 2 }, 'SUCCEEDED'],
  [{ ToleratedFailureCount: 1 }, 'FAILED'],
  [{ ToleratedFailurePercentage: 50 }, 'SUCCEEDED'],
  [{ ToleratedFailurePercentage: 49 }, 'FAILED'],
  [{ ToleratedFailureCount: 2, ToleratedFailurePercentage: 49 }, 'FAILED'],
])('%j with half of four failed: %s', async (tolerated, status) => {
  expect((await run('odd', { Items: [1, 2, 3, 4], ...tolerated })).status).toBe(status);
});

test('a map run and its children can be described', async () => {
  const { executionArn } = await run('odd', {
    Items: [1, 2, 3],
    ToleratedFailureCount: 1,
    MaxConcurrency: 2,
  });
  const { mapRuns } = await stack.client.send(new ListMapRunsCommand({ executionArn }));
  expect(mapRuns).toHaveLength(1);
  const { mapRunArn } = mapRuns![0]!;
  expect(mapRunArn).toMatch(/^arn:aws:states:us-east-1:000000000000:mapRun:m1\/Each:[\w-]{36}$/);
  const run1 = await stack.client.send(new DescribeMapRunCommand({ mapRunArn }));
  expect(run1).toMatchObject({
    status: 'SUCCEEDED',
    executionArn,
    maxConcurrency: 2,
    toleratedFailureCount: 1,
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

const writer = (WriterConfig?: object): object => ({
  ResultWriter: {
    Resource: 'arn:aws:states:::s3:putObject',
    Arguments: { Bucket: 'out', Prefix: 'results/' },
    ...(WriterConfig ? { WriterConfig } : {}),
  },
});

test('ResultWriter writes a manifest and the children’s results', async () => {
  const { output } = await run('odd', { Items: [1, 2, 3], ToleratedFailureCount: 1, ...writer() });
  const { MapRunArn, ResultWriterDetails } = JSON.parse(output);
  const id = MapRunArn.split(':').at(-1) as string;
  expect(ResultWriterDetails).toEqual({ Bucket: 'out', Key: `results/${id}/manifest.json` });
  const read = (key: string) => JSON.parse(objects.get(`out/${key}`)!.toString());
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
  expect(read(ResultFiles.FAILED[0].Key)[0]).toMatchObject({ Input: '2', Error: 'Even', Status: 'FAILED' });
  expect(ResultFiles.FAILED[0].Size).toBe(
    Buffer.byteLength(objects.get(`out/${ResultFiles.FAILED[0].Key}`)!),
  );
});

test('a failed map run has written its results all the same', async () => {
  const { error } = await run('odd', { Items: [1, 2], MaxConcurrency: 1, ...writer() });
  expect(error).toBe('States.ExceedToleratedFailureThreshold');
  expect([...objects.keys()].map((key) => key.split('/').at(-1)).sort()).toEqual([
    'FAILED_0.json',
    'SUCCEEDED_0.json',
    'manifest.json',
  ]);
});

test('results can be flattened to JSON Lines', async () => {
  await run('echo', { Items: [[1, 2], [3]], ...writer({ Transformation: 'FLATTEN', OutputType: 'JSONL' }) });
  const [, text] = [...objects].find(([key]) => key.endsWith('SUCCEEDED_0.jsonl'))!;
  expect(text).toBe('1\n2\n3\n');
});

test('a result over 256 KiB is States.DataLimitExceeded, and a ResultWriter is the remedy', async () => {
  stack.functions['large'] = () => 'x'.repeat(100_000);
  const { error, cause } = await run('large', { Items: [1, 2, 3] });
  expect([error, cause.endsWith('Use a ResultWriter.')]).toEqual(['States.DataLimitExceeded', true]);
  expect((await run('large', { Items: [1, 2, 3], ...writer() })).status).toBe('SUCCEEDED');
});

test('no items, no children', async () => {
  expect(await itemsRead({ Items: [] })).toEqual([]);
});

test('a Map inside the children works', async () => {
  const inner = { StartAt: 'In', States: { In: invoke('echo') } };
  const processor = {
    ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' },
    StartAt: 'Inner',
    States: { Inner: { Type: 'Map', ItemProcessor: inner, End: true } },
  };
  expect(await itemsRead({ Items: [[1, 2], [3]], ItemProcessor: processor })).toEqual([[1, 2], [3]]);
});

test('a WriterConfig alone shapes the result and writes nothing', async () => {
  const shape = (Transformation: string) => ({ ResultWriter: { WriterConfig: { Transformation } } });
  const compact = await run('odd', { Items: [1, 2, 3], ToleratedFailureCount: 1, ...shape('COMPACT') });
  expect(JSON.parse(compact.output).toSorted()).toEqual([1, 3]);
  const whole = JSON.parse((await run('echo', { Items: [7], ...shape('NONE') })).output);
  expect(whole).toMatchObject([{ Status: 'SUCCEEDED', Input: '7', Output: '7' }]);
  expect(objects.size).toBe(0);
});

test.each([
  [{ ToleratedFailurePercentage: '{% 101 %}' }, 'must give a number from 0 to 100'],
  [{ MaxConcurrency: '{% 1.5 %}' }, 'must give a whole number from 0 to 10000, gave 1.5'],
])('a setting out of range fails the state: %j', async (extra, message) => {
  const { status, error, cause } = await run('echo', { Items: [1], ...extra });
  expect([status, error]).toEqual(['FAILED', 'States.QueryEvaluationError']);
  expect(cause).toContain(message);
});

test('an item that fits in no batch is States.DataLimitExceeded', async () => {
  const ItemBatcher = { MaxInputBytesPerBatch: 40 };
  const { error, cause } = await run('echo', { Items: ['ok', 'x'.repeat(40)], ItemBatcher });
  expect(error).toBe('States.DataLimitExceeded');
  expect(cause).toContain('Item 1 does not fit in a batch: with its frame it has 54 bytes');
});
