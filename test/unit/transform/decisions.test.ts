import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LimitSettings } from '../../../src/pipeline/limit-settings.ts';
import { DropSettings } from '../../../src/pipeline/pipeline-config.ts';
import { isQuotaTooSmall, isTypeUnknown, jobFailure } from '../../../src/problem/aws-words.ts';
import { compareByteOrder } from '../../../src/text/byte-order.ts';
import { type Exclusion, exclusionDetail, exclusionOf } from '../../../src/transform/exclusion.ts';
import { toInputManifest } from '../../../src/transform/input-manifest.ts';
import { InstanceCapacity } from '../../../src/transform/instance-capacity.ts';
import { toJobName } from '../../../src/transform/job-name.ts';
import { keyBefore } from '../../../src/transform/key-before.ts';
import { reasonToEnd, reasonToStop } from '../../../src/transform/limit-watch.ts';
import { isOneRecord } from '../../../src/transform/one-record.ts';
import { containerLimits } from '../../../src/transform/payload.ts';
import { pollWaitSeconds, waitUntilEnd } from '../../../src/transform/poll-wait.ts';
import { estimateProgress, isSampled, SAMPLE_SIZE, secondsLeft } from '../../../src/transform/progress.ts';
import { ShardCutter } from '../../../src/transform/shard-cutter.ts';
import { SizeProfile } from '../../../src/transform/size-profile.ts';
import { splitJobs } from '../../../src/transform/split-jobs.ts';
import { readMachine } from '../../support/read-machine.ts';

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

describe('waits between looks', () => {
  const MAX_RUN_MINUTES = LimitSettings.shape.maxRuntimeMinutes.unwrap().maxValue ?? Infinity;
  /** As far as a running job may go past a limit. */
  const TOLERANCE = 1.2;

  test('begin at a second and end at a minute', () => {
    const waits = Array.from({ length: 60 }, (_, poll) => pollWaitSeconds(poll, 600));
    expect([waits[0], waits.at(-1), Math.max(...waits)]).toEqual([1, 60, 60]);
    expect(waits).toEqual(waits.toSorted((a, b) => a - b));
  });

  test('keep the longest run of jobs of two hours within the history of an execution', () => {
    const longest = MAX_RUN_MINUTES * 60 * TOLERANCE;
    let looks = 0;
    for (let seconds = 0, poll = 0, jobEnds = 7_200; seconds < longest; looks++) {
      seconds += waitUntilEnd(pollWaitSeconds(poll++, seconds), 0);
      if (seconds > jobEnds) [poll, jobEnds] = [0, seconds + 7_200];
    }
    // About nine events a look, of 25,000; waiting for files takes up to 10,000.
    expect(looks).toBeLessThan(1_400);
  });

  test('end with the job, where its answers show when that will be', () => {
    const now = new Date('2026-11-26T10:01:40.000Z');
    const job = { startedAt: '2026-11-26T10:00:00.000Z', outputsBefore: 50, objects: 200 };
    const left = (done: number) => secondsLeft(job, { done, total: 250, approximate: false }, now);
    expect([left(50), left(100), left(250)]).toEqual([Infinity, 300, 0]);
    expect(
      secondsLeft({ ...job, startedAt: undefined }, { done: 100, total: 250, approximate: false }, now),
    ).toBe(Infinity);
    expect([Infinity, 300, 40.2, 12, 0].map((seconds) => waitUntilEnd(60, seconds))).toEqual([
      60, 60, 41, 30, 30,
    ]);
    expect([waitUntilEnd(1, 0), waitUntilEnd(61, 0)]).toEqual([1, 61]);
  });

  test('all fit into the time that the state machine has', async () => {
    const { TimeoutSeconds } = await readMachine('batch-inference');
    const longestWait = DropSettings.shape.maxWaitMinutes.unwrap().maxValue ?? Infinity;
    expect(TimeoutSeconds / 60).toBeGreaterThan(longestWait + MAX_RUN_MINUTES * TOLERANCE);
  });
});

describe('limits', () => {
  const spending = { costUsd: 10, runtimeMinutes: 100, maxCostUsd: 10, maxRuntimeMinutes: 1_000 };

  test('at the bound no job starts, and the running one goes on to 120 %', () => {
    expect(reasonToEnd(spending)).toContain('limits.maxCostUsd is $10');
    expect(reasonToStop(spending)).toBeUndefined();
    expect(reasonToStop({ ...spending, costUsd: 12 })).toContain('cost $12.00');
    expect(reasonToEnd({ ...spending, costUsd: 9.99 })).toBeUndefined();
  });

  test('time is bounded likewise', () => {
    expect(reasonToEnd({ ...spending, maxCostUsd: null, runtimeMinutes: 1_000 })).toContain(
      'limits.maxRuntimeMinutes',
    );
    expect(reasonToStop({ ...spending, maxCostUsd: null, runtimeMinutes: 1_199 })).toBeUndefined();
  });

  test('an unknown cost stops nothing', () => {
    expect(reasonToStop({ ...spending, costUsd: null })).toBeUndefined();
  });
});

describe('progress', () => {
  test.each([0, 20_000])('of %d inputs none is sampled', (count) => {
    expect(Array.from({ length: count }, (_, index) => isSampled(index, count)).filter(Boolean)).toEqual([]);
  });

  test.each([20_001, 123_457, 500_000])('of %d inputs 200 are sampled, evenly', (count) => {
    const sampled = Array.from({ length: count }, (_, index) => index).filter((index) =>
      isSampled(index, count),
    );
    const gaps = sampled.slice(1).map((index, at) => index - sampled[at]!);
    expect(sampled).toHaveLength(SAMPLE_SIZE);
    expect(Math.max(...gaps) - Math.min(...gaps)).toBeLessThanOrEqual(1);
  });

  test('is the share of the sample, after what earlier jobs did', () => {
    expect(
      estimateProgress({ found: 50, of: 200 }, { objects: 400_000, before: 500_000, total: 900_000 }),
    ).toEqual({ done: 600_000, total: 900_000, approximate: true });
    expect(estimateProgress({ found: 0, of: 0 }, { objects: 4, before: 5, total: 9 }).done).toBe(5);
  });
});

describe('jobs', () => {
  test('hold every object once, none more than allowed, and are even', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 10_000_000 }),
        fc.integer({ min: 1, max: 6_000_000 }),
        fc.integer({ min: 1, max: 64 }),
        (objects, inTime, each) => {
          fc.pre(objects / inTime < 5_000);
          const jobs = splitJobs(objects, inTime, each);
          expect(jobs.reduce((sum, size) => sum + size, 0)).toBe(objects);
          if (jobs.length === 0) return;
          expect(Math.max(...jobs)).toBeLessThanOrEqual(Math.min(500_000 * each, inTime));
          expect(Math.max(...jobs) - Math.min(...jobs)).toBeLessThanOrEqual(1);
        },
      ),
    );
  });

  test('are named an outlier above four times the 99th percentile', () => {
    const sizes = new SizeProfile();
    for (let index = 0; index < 999; index++) sizes.add(1_000);
    sizes.add(1_000_000);
    expect(sizes.percentile99()).toBeGreaterThanOrEqual(1_000);
    expect(sizes.percentile99()).toBeLessThan(1_021);
    expect(sizes.outlierBytes()).toBeLessThan(4_084);
    expect(sizes.outliers()).toBe(1);
    expect([sizes.count, sizes.bytes, sizes.largest]).toEqual([1_000, 1_999_000, 1_000_000]);
  });

  test('the percentile is that of the sizes, in whatever order they come', () => {
    const sizes = new SizeProfile();
    for (let size = 1_000; size > 0; size--) sizes.add(size * 1_000);
    expect(sizes.percentile99()).toBeGreaterThanOrEqual(990_000);
    expect(sizes.percentile99()).toBeLessThan(990_000 * 1.021);
    const few = new SizeProfile();
    for (let at = 0; at < 99; at++) few.add(10);
    few.add(5_000);
    expect(few.percentile99()).toBe(10);
  });

  test('above the bound of outliers are counted as they are compared with it', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.integer({ min: 0, max: 50 }), fc.integer({ min: 0, max: 5_000_000 })), {
          minLength: 1,
        }),
        fc.array(fc.constantFrom(1_000, 1_019, 1_020, 1_021), { minLength: 100, maxLength: 300 }),
        (some, many) => {
          const profile = new SizeProfile();
          for (const size of [...some, ...many]) profile.add(size);
          const bound = profile.outlierBytes();
          expect(profile.outliers()).toBe([...some, ...many].filter((size) => size > bound).length);
        },
      ),
    );
  });
});

describe('inputs', () => {
  const limits = { largestAllowedBytes: 100, isTooLong: (name: string) => name === 'long' };

  test.each([
    [0, 'k', 'empty'],
    [101, 'k', 'too-large'],
    [5, 'long', 'key-too-long'],
    [100, 'k', undefined],
  ])('of %d bytes are %s', (size, name, reason) => {
    expect(exclusionOf({ name, size }, limits)).toBe(reason);
  });

  test('that are cut into records may have any size', () => {
    expect(exclusionOf({ name: 'k', size: 5e9 }, { ...limits, largestAllowedBytes: null })).toBeUndefined();
  });

  test.each<[Exclusion, string]>([
    ['unreadable', 'is a symbolic link'],
    ['empty', 'the object has 0 bytes'],
    ['too-large', '7 bytes; at most 5 go into one request'],
    ['key-too-long', 'the key of its output would have more than 1024 bytes: shorten the key'],
  ])('that are %s are explained', (reason, detail) => {
    const input = { name: 'a', size: 7, content: 'etag', lastModified: '', defect: 'is a symbolic link' };
    expect(exclusionDetail(reason, input, { largestAllowedBytes: 5 })).toBe(detail);
  });

  test('a large manifest is written in pieces of bounded size', async () => {
    const keys = Array.from({ length: 20_000 }, (_, index) => `in/${index}`);
    const pieces = await collect(toInputManifest({ bucket: 'b', prefix: 'in/' }, keys));
    expect(pieces.map(({ length }) => length < 70_000)).not.toContain(false);
    expect(pieces.length).toBeLessThan(10);
    expect(JSON.parse(pieces.join(''))).toHaveLength(20_001);
  });

  test('make a manifest that reads back, whatever their names', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string({ unit: 'grapheme' })), async (names) => {
        const keys = names.map((name) => `in/${name}`);
        const text = (await collect(toInputManifest({ bucket: 'b', prefix: 'in/' }, keys))).join('');
        expect(JSON.parse(text)).toEqual([{ prefix: 's3://b/in/' }, ...names]);
      }),
    );
  });

  test('a listing begun before a key finds the key', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }), (key) => {
        const before = keyBefore(key);
        expect(compareByteOrder(before, key)).toBeLessThan(0);
        expect(before.isWellFormed()).toBe(true);
      }),
    );
  });

  test.each([
    ['in/b', 'in/a\u{10FFFF}'],
    ['a~', 'a}\u{10FFFF}'],
    ['a!', 'a \u{10FFFF}'],
    ['a ', 'a'],
    ['a\u007F', 'a'],
    ['aé', 'a'],
    ['a\uE000', 'a'],
    ['a\u{10000}', 'a'],
    ['a\u{10FFFF}', 'a'],
  ])('a listing for %j begins after %j, behind most smaller keys', (key, before) => {
    expect(keyBefore(key)).toBe(before);
  });
});

describe('shards', () => {
  test('cover every byte once and end at their bounds', () => {
    const line = fc.tuple(fc.integer({ min: 1, max: 120 }), fc.integer({ min: 0, max: 120 }));
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        const cutter = new ShardCutter('p/d/000001', { inputs: 3, outputBytes: 60, lineBytes: 80 });
        for (const [bytes, output] of lines) cutter.add(bytes, output);
        const shards = cutter.finish();
        let at = 0;
        for (const [index, shard] of shards.entries()) {
          expect(shard).toMatchObject({ shard: index, start: at });
          expect(shard.inputs).toBeGreaterThan(0);
          expect(shard.inputs).toBeLessThanOrEqual(3);
          expect(shard.end - shard.start <= 80 || shard.inputs === 1).toBe(true);
          at = shard.end;
        }
        expect(at).toBe(lines.reduce((sum, [bytes]) => sum + bytes, 0));
        expect(shards.reduce((sum, { inputs }) => sum + inputs, 0)).toBe(lines.length);
      }),
    );
  });
});

test('a cutter goes on where another one stopped, as if it had cut from the beginning', () => {
  const bounds = { inputs: 3, outputBytes: 60, lineBytes: 80 };
  const lines: [number, number][] = [
    [50, 10],
    [30, 10],
    [1, 10],
    [5, 50],
    [5, 10],
    [5, 1],
    [5, 1],
    [5, 1],
    [90, 90],
  ];
  const whole = new ShardCutter('p/d/000001', bounds);
  for (const [bytes, output] of lines) whole.add(bytes, output);
  const shards = whole.finish();
  expect(shards.map(({ start, end, inputs }) => [start, end, inputs])).toEqual([
    [0, 80, 2],
    [80, 86, 2],
    [86, 101, 3],
    [101, 106, 1],
    [106, 196, 1],
  ]);
  for (let at = 0; at <= lines.length; at++) {
    const first = new ShardCutter('p/d/000001', bounds);
    for (const [bytes, output] of lines.slice(0, at)) first.add(bytes, output);
    const second = new ShardCutter('p/d/000001', bounds, first.state);
    for (const [bytes, output] of lines.slice(at)) second.add(bytes, output);
    expect(second.finish()).toEqual(shards);
  }
  expect(new ShardCutter('p/d/000001', bounds).finish()).toEqual([]);
});

describe('container limits', () => {
  const tensorflow = {
    framework: 'tensorflow',
    frameworkVersion: '2.19.0',
    invocationsTimeoutInSeconds: 900,
    maxPayloadInMB: 40,
  } as const;
  const pytorch = { ...tensorflow, framework: 'pytorch', frameworkVersion: '2.6.0' } as const;

  test('follow the transform settings', () => {
    expect(containerLimits(tensorflow, {})).toEqual({
      SAGEMAKER_GUNICORN_TIMEOUT_SECONDS: '900',
      SAGEMAKER_NGINX_PROXY_READ_TIMEOUT_SECONDS: '900',
    });
    for (const frameworkVersion of ['2.20', '3.0'])
      expect(containerLimits({ ...tensorflow, frameworkVersion }, {})).toMatchObject({
        SAGEMAKER_TFS_WAIT_TIME_SECONDS: '900',
      });
    expect(containerLimits({ ...tensorflow, frameworkVersion: '1.20' }, {})).not.toHaveProperty(
      'SAGEMAKER_TFS_WAIT_TIME_SECONDS',
    );
    expect(containerLimits(pytorch, {})).toEqual({
      SAGEMAKER_MODEL_SERVER_TIMEOUT: '900',
      TS_MAX_REQUEST_SIZE: '41943040',
      TS_MAX_RESPONSE_SIZE: '41943040',
    });
  });

  test('are never below TorchServe’s own', () => {
    expect(containerLimits({ ...pytorch, maxPayloadInMB: 1 }, {})).toMatchObject({
      TS_MAX_REQUEST_SIZE: '6553500',
    });
  });

  test('leave what the pipeline sets alone', () => {
    expect(containerLimits(tensorflow, { SAGEMAKER_GUNICORN_TIMEOUT_SECONDS: '5' })).toEqual({
      SAGEMAKER_NGINX_PROXY_READ_TIMEOUT_SECONDS: '900',
    });
  });
});

test('a lack of instances names the types, why each was refused, and the field to mend', () => {
  expect(new InstanceCapacity(['a', 'b'], ['full', 'quota']).message).toBe(
    'no instance was available of a, b: full; quota. Name more types in transform.instanceTypes, ask AWS for a higher quota, ' +
      'or run it later with inferdrop rerun',
  );
  expect(new InstanceCapacity(['a'], ['full'], 'training.instanceTypes')).toMatchObject({
    name: 'InstanceCapacity',
    message: expect.stringContaining('in training.instanceTypes,'),
  });
});

test.each([
  ['CapacityError: Unable to provision requested ML compute capacity.', 'capacity'],
  ['InternalServerError: We encountered an internal error. Please try again.', 'service'],
  ['AlgorithmError: framework error: exit code: -9', 'killed'],
  ['AlgorithmError: ExitCode 137', 'killed'],
  ['AlgorithmError: See job logs', 'other'],
  ['AlgorithmError: CapacityError, ExitCode 1370', 'other'],
  [undefined, 'other'],
])('%s is a failure of the kind %s', (reason, kind) => expect(jobFailure(reason)).toBe(kind));

test.each<[boolean, number, number]>([
  [true, 2, 4],
  [true, 4, 12],
  [true, 10, 12],
  [true, 0, 1],
  [false, 4, 4],
  [false, 10, 4],
])('waiting cannot help: %s, for a quota of %d and a request of %d', (isTooSmall, quota, delta) => {
  const message =
    `The account-level service limit 'ml.m5.xlarge for transform job usage' is ${quota} Instances, with current utilization of ` +
    `0 Instances and a request delta of ${delta} Instances.`;
  expect(isQuotaTooSmall(message)).toBe(isTooSmall);
  expect(isQuotaTooSmall(message.replaceAll('Instances', 'Instance'))).toBe(isTooSmall);
  expect(isQuotaTooSmall(message.replace('request delta', 'request'))).toBe(false);
  expect(isQuotaTooSmall(message.replace('Instances, with', 'things, with'))).toBe(false);
});

test('a region without an instance type is distinguished from other refusals', () => {
  const refusal = (at: string) =>
    `1 validation error detected: Value 'ml.p9.large' at '${at}' failed to satisfy constraint: ` +
    'Member must satisfy enum value set: [ml.m5.xlarge]';
  expect(isTypeUnknown(refusal('transformResources.instanceType'))).toBe(true);
  expect(isTypeUnknown(refusal('resourceConfig.instanceType'))).toBe(true);
  expect(isTypeUnknown(refusal('batchStrategy'))).toBe(false);
  expect(isTypeUnknown(`1${refusal('transformResources.instanceType')}`)).toBe(false);
  expect(isTypeUnknown(`2${refusal('transformResources.instanceType').slice(1)}`)).toBe(false);
});

test.each([
  ['application/JSON', 'application/jsonlines', 'text/csv', 'text/plain', 'application/x-tfrecord'],
  ['application/x-recordio', 'application/x-parquet', 'application/x-csv'],
])('objects of %s hold several records, images and arrays one', (...types) => {
  for (const contentType of types)
    expect(isOneRecord({ splitType: 'None', contentType, columns: null })).toBe(false);
  for (const contentType of ['image/png', 'application/x-npy']) {
    expect(isOneRecord({ splitType: 'None', contentType, columns: null })).toBe(true);
    expect(isOneRecord({ splitType: 'TFRecord', contentType, columns: null })).toBe(false);
  }
  for (const contentType of types)
    for (const cut of [
      { splitType: 'None', columns: {} },
      { splitType: 'Line', columns: null },
    ])
      expect(isOneRecord({ ...cut, contentType })).toBe(true);
});

test('a job is named by its run and attempt, and by what distinguishes it from all others', () => {
  const attempt = { bucket: 'b', run: 'cifar10/Über den/000001', plannedAt: '2026-03-01', attempt: 2 };
  const name = toJobName(attempt);
  expect(name).toMatch(/^inferdrop-cifar10-U-ber-den-2-[0-9a-f]{12}$/);
  expect(toJobName({ ...attempt })).toBe(name);
  const others = [{ bucket: 'c' }, { plannedAt: '2026-03-02' }, { run: 'cifar10/uber den/000001' }];
  expect(new Set([name, ...others.map((other) => toJobName({ ...attempt, ...other }))]).size).toBe(4);
  const long = toJobName({ ...attempt, run: `${'p'.repeat(40)}/${'d'.repeat(80)}/000001`, attempt: 1_000 });
  expect(long.length).toBeLessThanOrEqual(63);
  expect(toJobName({ ...attempt, run: 'no run' })).toMatch(/^inferdrop-run-run-2-[0-9a-f]{12}$/);
});
