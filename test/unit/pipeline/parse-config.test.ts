import { expect, test } from 'vitest';
import { parseJobConfig, parsePipelineConfig } from '../../../src/pipeline/parse-config.ts';
import type { Problem } from '../../../src/problem/problem.ts';
import { cpuSeconds } from '../../support/cpu-seconds.ts';

const LEAST = {
  model: { framework: 'tensorflow', frameworkVersion: '2.19.0' },
  labels: { classes: ['a', 'b'] },
};
const pipelineProblems = (config: unknown): readonly Problem[] =>
  parsePipelineConfig(JSON.stringify(config)).problems;
const lines = (problems: readonly Problem[]) => problems.map(({ field, message }) => `${field} ${message}`);

test('framework, version and classes are all that must be said', () => {
  expect(pipelineProblems(LEAST)).toEqual([]);
  expect(pipelineProblems({}).map(({ field }) => field)).toEqual([
    'model.framework',
    'model.frameworkVersion',
    'labels.classes',
  ]);
});

test.each<[unknown, string]>([
  [{ transform: { maxPayloadInMB: 500 } }, 'transform.maxPayloadInMB must be "auto" or 1..100, is 500'],
  [
    { transform: { splitType: 'Lines' } },
    'transform.splitType must be one of "None", "Line", "RecordIO", "TFRecord", is "Lines"',
  ],
  [{ transform: { instanceTypes: [] } }, 'transform.instanceTypes must be an array of 1 to 10, is []'],
  [
    { transform: { maxPayloadInMb: 5 } },
    'transform.maxPayloadInMb is not a known field; did you mean transform.maxPayloadInMB?',
  ],
  [{ instanceCount: 5 }, 'instanceCount is not a known field; did you mean transform.instanceCount?'],
  [
    { zzzzzzzzzz: 5 },
    'zzzzzzzzzz is not a known field; known here: $schema, model, transform, labels, report, gate, endpoint, drop, limits, training',
  ],
  [
    { labels: { classes: [] } },
    'labels.classes must be an array of 2 to 100000 or an object with file, is []',
  ],
  [{ labels: { classes: ['a', 3] } }, 'labels.classes.1 must be a string of 1 to 200 characters, is 3'],
  [
    { labels: { classes: ['a', 'b'], truth: { from: 'x' } } },
    'labels.truth.from must be "key" or "folder" or "file" or "record", is "x"',
  ],
  [
    { labels: { classes: ['a', 'b'], truth: { from: 'folder', pattern: 'x' } } },
    'labels.truth.pattern is not a known field; known here: from',
  ],
  [{ limits: { maxCostUsd: -1 } }, 'limits.maxCostUsd must be above 0 or null, is -1'],
  [
    { model: { ...LEAST.model, artifact: 'here' } },
    'model.artifact must be an S3 URI such as s3://my-bucket/model.tar.gz, is "here"',
  ],
  [{ transform: 5 }, 'transform must be an object with contentType'],
])('%j is answered with field, allowed value and current value', (change, line) => {
  expect(lines(pipelineProblems({ ...LEAST, ...(change as object) })).join('\n')).toContain(line);
});

test('all problems are listed, not only the first', () => {
  expect(pipelineProblems({ ...LEAST, transform: { accept: 1, contentType: 2 }, extra: 1 })).toHaveLength(3);
});

test.each(['{', '', 'nonsense'])('%j is refused, since it is not JSON', (text) => {
  expect(parsePipelineConfig(text).problems).toMatchObject([
    { file: 'pipeline.json', field: '', message: expect.stringContaining('is not JSON') },
  ]);
});

test('a byte order mark, as some editors leave it, is no error', () => {
  expect(parsePipelineConfig(`\uFEFF${JSON.stringify(LEAST)}`).problems).toEqual([]);
});

test('a drop may not set what belongs to the pipeline', () => {
  const { problems } = parseJobConfig(
    JSON.stringify({
      model: {},
      endpoint: {},
      notifications: {},
      transform: { instanceTypes: [], instanceCount: 3 },
    }),
  );
  expect(problems.map(({ field }) => field).toSorted()).toEqual([
    'endpoint',
    'model',
    'notifications',
    'transform.instanceCount',
    'transform.instanceTypes',
  ]);
  for (const { message } of problems) expect(message).toContain('cannot be set by a drop');
});

test('a misspelt field of job.json is just unknown', () => {
  expect(lines(parseJobConfig('{"lables":{}}').problems)).toEqual([
    'lables is not a known field; did you mean labels?',
  ]);
});

test('of very many unknown fields the first are named and the others counted', async () => {
  const fields = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`f${index}`, 1]));
  let problems: readonly Problem[] = [];
  const seconds = await cpuSeconds(() => ({ problems } = parseJobConfig(JSON.stringify(fields))));
  expect(seconds).toBeLessThan(2);
  expect(problems).toHaveLength(21);
  expect(problems.at(-1)!.message).toBe('and 99980 more fields are unknown');
});
