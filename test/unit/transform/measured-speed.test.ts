import { expect, test } from 'vitest';
import type { JobRecord } from '../../../src/transform/job-record.ts';
import { measureJob, speedBounds } from '../../../src/transform/measured-speed.ts';

const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1) + seconds * 1000);
const record = {
  createdAt: at(0).toISOString(),
  startedAt: at(200).toISOString(),
  endedAt: at(300).toISOString(),
  objects: 101,
} as JobRecord;

test('answers in whole seconds show a range, and the end of it that is sure is the speed', () => {
  const written = { count: 101, first: at(240), last: at(259) };
  expect(speedBounds(written)).toEqual({ least: 100 / 20, most: 100 / 18 });
  expect(measureJob(record, written, 2)).toEqual({
    startSeconds: 200,
    startupSeconds: 40,
    workSeconds: 19,
    inputsPerSecond: 2.5,
  });
});

test('answers within one second bound a speed from below alone', () => {
  expect(speedBounds({ count: 20, first: at(1), last: at(1) })).toEqual({ least: 19, most: Infinity });
});

test('times in milliseconds are taken for what they are', () => {
  const { least, most } = speedBounds({ count: 11, first: at(0.5), last: at(1.5) });
  expect(least).toBeCloseTo(10, 1);
  expect(most).toBeCloseTo(10, 1);
});

test('where answers share objects, the times of the job count', () => {
  expect(measureJob(record, { count: 3, first: at(240), last: at(241) }, 1)).toEqual({
    startSeconds: 200,
    startupSeconds: 0,
    workSeconds: 100,
    inputsPerSecond: 1.01,
  });
});

test('a job that has not ended has no speed', () => {
  const { endedAt: _, ...running } = record;
  expect(measureJob(running, undefined, 1)).toBeUndefined();
});
