import {
  GetMetricStatisticsCommand,
  type GetMetricStatisticsCommandInput,
  PutMetricDataCommand,
} from '@aws-sdk/client-cloudwatch';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type LocalCloudWatch, localCloudWatch } from './local-cloudwatch.ts';

const START = Date.UTC(2026, 0, 1);
const dimensions = { EndpointName: 'e', VariantName: 'AllTraffic' };
const Dimensions = Object.entries(dimensions).map(([Name, Value]) => ({ Name, Value }));

let stack: LocalCloudWatch;
beforeEach(async () => void (stack = await localCloudWatch()));
afterEach(() => stack.close());

const statistics = async (changes: Partial<GetMetricStatisticsCommandInput> = {}) =>
  (
    await stack.client.send(
      new GetMetricStatisticsCommand({
        Namespace: 'AWS/SageMaker',
        MetricName: 'Invocations',
        Dimensions,
        StartTime: new Date(START),
        EndTime: new Date(START + 3_600_000),
        Period: 60,
        Statistics: ['Sum'],
        ...changes,
      }),
    )
  ).Datapoints;

test('values are summed by the minute', async () => {
  stack.put('AWS/SageMaker', dimensions, { Invocations: 1 });
  stack.put('AWS/SageMaker', dimensions, { Invocations: 1 });
  await stack.clock.advance(60_000);
  stack.put('AWS/SageMaker', dimensions, { Invocations: 1 });
  expect(await statistics()).toEqual([
    { Timestamp: new Date(START), Sum: 2, Unit: 'None' },
    { Timestamp: new Date(START + 60_000), Sum: 1, Unit: 'None' },
  ]);
});

test('a longer period takes its minutes together', async () => {
  for (const value of [1, 2, 6]) {
    stack.put('AWS/SageMaker', dimensions, { Invocations: value });
    await stack.clock.advance(60_000);
  }
  expect(
    await statistics({ Period: 300, Statistics: ['Average', 'Minimum', 'Maximum', 'SampleCount'] }),
  ).toEqual([
    { Timestamp: new Date(START), Average: 3, Minimum: 1, Maximum: 6, SampleCount: 3, Unit: 'None' },
  ]);
});

test('percentiles are within 1 % of the true ones', async () => {
  for (let value = 1; value <= 1000; value++) stack.put('AWS/SageMaker', dimensions, { ModelLatency: value });
  const [point] = (await statistics({
    MetricName: 'ModelLatency',
    Statistics: undefined,
    ExtendedStatistics: ['p50', 'p99'],
  }))!;
  expect(point?.ExtendedStatistics?.['p50']).toBeGreaterThan(494);
  expect(point?.ExtendedStatistics?.['p50']).toBeLessThan(506);
  expect(point?.ExtendedStatistics?.['p99']).toBeGreaterThan(979);
  expect(point?.ExtendedStatistics?.['p99']).toBeLessThan(1000);
});

test('other dimensions are another metric', async () => {
  stack.put('AWS/SageMaker', dimensions, { Invocations: 1 });
  expect(await statistics({ Dimensions: Dimensions.slice(0, 1) })).toEqual([]);
});

test('the end is not in the range', async () => {
  await stack.clock.advance(60_000);
  stack.put('AWS/SageMaker', dimensions, { Invocations: 1 });
  expect(await statistics({ EndTime: new Date(START + 60_000) })).toEqual([]);
});

test('more than 1,440 datapoints are refused', async () => {
  await expect(statistics({ EndTime: new Date(START + 86_460_000) })).rejects.toThrow(
    'exceeds the limit of 1,440',
  );
});

test('users put metrics of their own, but none of AWS', async () => {
  const put = (Namespace: string) =>
    stack.client.send(
      new PutMetricDataCommand({
        Namespace,
        MetricData: [{ MetricName: 'm', Values: [1, 2], Counts: [3, 1] }],
      }),
    );
  await put('mine');
  expect(await statistics({ Namespace: 'mine', MetricName: 'm', Dimensions: [] })).toMatchObject([
    { Sum: 5 },
  ]);
  await expect(put('AWS/Mine')).rejects.toThrow('Namespace is invalid');
});

test('metrics survive a restart', async () => {
  stack.put('AWS/SageMaker', dimensions, { Invocations: 1 });
  await stack.close();
  stack = await localCloudWatch(stack.dir);
  stack.put('AWS/SageMaker', dimensions, { Invocations: 1 });
  expect(await statistics()).toMatchObject([{ Sum: 2 }]);
});
