import type { CreateTransformJobCommandInput } from '@aws-sdk/client-sagemaker';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { localTransforms } from './local-sagemaker.ts';

let stack: Awaited<ReturnType<typeof localTransforms>>;
/** The container gives each line's length, in the format of the request. */
beforeEach(async () => {
  await stack?.close();
  stack = await localTransforms(({ body, headers }) => {
    const lines = body.split('\n').filter((line) => line !== '');
    return headers['content-type'] === 'application/json'
      ? `{"length": ${body.length}.0}`
      : lines.map(({ length }) => length).join('\n');
  });
});
afterAll(() => stack.close());

const processing = (
  type: string,
  DataProcessing: CreateTransformJobCommandInput['DataProcessing'],
  SplitType: 'Line' | 'None' = 'Line',
): Partial<CreateTransformJobCommandInput> => ({
  BatchStrategy: 'MultiRecord',
  TransformInput: {
    DataSource: { S3DataSource: { S3DataType: 'S3Prefix', S3Uri: 's3://bucket/in/' } },
    ContentType: type,
    SplitType,
  },
  TransformOutput: { S3OutputPath: 's3://bucket/out', Accept: type, AssembleWith: SplitType },
  DataProcessing,
});

test('CSV: the container sees the filtered row, the output has the whole one with the result', async () => {
  stack.objects.put('in/rows.csv', 'id1,"a,b",3.10\nid2,c,4\n');
  const job = await stack.run('csv', processing('text/csv', { InputFilter: '$[1:]', JoinSource: 'Input' }));
  expect(job.FailureReason).toBeUndefined();
  expect(stack.invocations[0]?.body).toBe('"a,b",3.10\nc,4\n');
  expect(stack.objects.text('out/rows.csv.out')).toBe('id1,"a,b",3.10,10\nid2,c,4,3\n');
});

test('CSV: the output filter picks columns of the joined row', async () => {
  stack.objects.put('in/rows.csv', 'id1,1,2\nid2,3,4\n');
  await stack.run('csv-output', processing('text/csv', { JoinSource: 'Input', OutputFilter: '$[0,-1]' }));
  expect(stack.objects.text('out/rows.csv.out')).toBe('id1,7\nid2,7\n');
});

test('JSON Lines: objects get a member, other values become objects', async () => {
  stack.objects.put('in/rows.jsonl', '{"id": 1.0, "x": "ab"}\n[1, 2]\n');
  await stack.run('jsonl', processing('application/jsonlines', { JoinSource: 'Input' }));
  expect(stack.objects.text('out/rows.jsonl.out')).toBe(
    '{"id":1.0,"x":"ab","SageMakerOutput":22}\n{"SageMakerInput":[1,2],"SageMakerOutput":6}\n',
  );
});

test('JSON: names are picked before and after', async () => {
  stack.objects.put('in/one.json', '{"id": 7, "features": [1, 2.50]}');
  await stack.run(
    'json',
    processing(
      'application/json',
      { InputFilter: '$.features', JoinSource: 'Input', OutputFilter: "$['id','SageMakerOutput']" },
      'None',
    ),
  );
  expect(stack.invocations[0]?.body).toBe('[1,2.50]');
  expect(stack.objects.text('out/one.json.out')).toBe('{"id":7,"SageMakerOutput":{"length":8.0}}');
});

test('a filter that leads nowhere fails the object', async () => {
  stack.objects.put('in/short.csv', '1,2\n');
  stack.objects.put('in/whole.csv', '1,2,3\n');
  const job = await stack.run('nowhere', processing('text/csv', { InputFilter: '$[2]' }));
  expect(job.FailureReason).toBe('ClientError: See job logs for more information');
  expect(stack.objects.created).toEqual(['out/whole.csv.out']);
  expect(stack.logLines.join('\n')).toContain(
    'bucket/in/short.csv: ClientError: $[2]: index 2 is outside of 2 values',
  );
});

test('a result missing fails the object', async () => {
  await stack.close();
  stack = await localTransforms(() => 'only one');
  stack.objects.put('in/rows.csv', '1\n2\n');
  const job = await stack.run('missing', processing('text/csv', { JoinSource: 'Input' }));
  expect(job.FailureReason).toBe('ClientError: See job logs for more information');
  expect(stack.logLines.join('\n')).toContain(
    'the container must answer 2 records with as many results, gave 1',
  );
});

test('CSV: a result of several lines, as TensorFlow Serving writes JSON, fails the object', async () => {
  await stack.close();
  stack = await localTransforms(() => '{\n    "predictions": [[0.5]]\n}');
  stack.objects.put('in/rows.csv', '1\n');
  const job = await stack.run('json', processing('text/csv', { JoinSource: 'Input' }));
  expect(job.FailureReason).toBe('ClientError: See job logs for more information');
  expect(stack.logLines.join('\n')).toContain('must answer 1 records with as many results, gave 3');
});

test('an answer that is neither joined nor filtered is stored as it is', async () => {
  await stack.close();
  stack = await localTransforms(() => '{\n    "predictions": [[0.5]]\n}');
  stack.objects.put('in/rows.csv', 'id,1\n');
  await stack.run('as-it-is', processing('text/csv', { InputFilter: '$[1:]' }));
  expect(stack.invocations[0]?.body).toBe('1\n');
  expect(stack.objects.text('out/rows.csv.out')).toBe('{\n    "predictions": [[0.5]]\n}\n');
});

test('CSV that is not cut into rows is refused at once', async () => {
  const uncut = processing('text/csv', { JoinSource: 'Input' }, 'None');
  await expect(stack.run('uncut', uncut)).rejects.toMatchObject({
    name: 'ValidationException',
    message: expect.stringContaining('needs SplitType and AssembleWith Line, are None and None'),
  });
});

test('what is no path is refused at once', async () => {
  stack.objects.put('in/a', 'a');
  await expect(stack.run('path', processing('text/csv', { InputFilter: '$.a[' }))).rejects.toMatchObject({
    name: 'ValidationException',
    message: expect.stringContaining('Invalid JSONPath in DataProcessing: $.a['),
  });
});
