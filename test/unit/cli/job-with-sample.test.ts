import { expect, test } from 'vitest';
import { jobWithSample, toSample } from '../../../src/cli/files/job-with-sample.ts';

test('a sample is written into job.json, and all else of it stays', () => {
  expect(JSON.parse(jobWithSample(undefined, 20))).toEqual({ sample: { inputs: 20 } });
  const job = '\uFEFF{"gate": {"minAccuracy": 0.9}, "sample": {"inputs": 5, "by": "class"}}';
  expect(JSON.parse(jobWithSample(job, 20))).toEqual({
    gate: { minAccuracy: 0.9 },
    sample: { inputs: 20, by: 'class' },
  });
  expect(JSON.parse(jobWithSample('{"sample": null}', 3))).toEqual({ sample: { inputs: 3 } });
  for (const text of ['[]', '{', '{"sample": 3}'])
    expect(() => jobWithSample(text, 20)).toThrow('job.json must be a JSON object');
});

test('--sample is a count', () => {
  expect(toSample('2000')).toBe(2000);
  for (const text of ['0', '-1', '1.5', '1e3', '', 'all'])
    expect(() => toSample(text)).toThrow(`--sample must be a number of inputs from 1, is ${text}`);
});
