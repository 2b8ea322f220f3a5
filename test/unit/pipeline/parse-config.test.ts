import { expect, test } from 'vitest';
import { toExpectation } from '../../../src/pipeline/expectation.ts';
import { nearestName } from '../../../src/pipeline/nearest-name.ts';
import { parseJobConfig, parsePipelineConfig } from '../../../src/pipeline/parse-config.ts';
import type { SchemaNode } from '../../../src/pipeline/schema-node.ts';
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
    'labels',
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
    'zzzzzzzzzz is not a known field; known here: $schema, model, transform, columns, labels, report, gate, endpoint, ' +
      'drop, sample, limits, training',
  ],
  [
    { labels: { classes: [] } },
    'labels.classes must be an array of 2 to 100000 or an object with file, is []',
  ],
  [{ labels: { classes: ['a', 3] } }, 'labels.classes.1 must be a string of 1 to 200 characters, is 3'],
  [
    { labels: { classes: ['a', ' sp ace '] } },
    'labels.classes.1 must have no space at its start or end, which labels are read without, is " sp ace "',
  ],
  [
    { labels: { classes: ['a', 'b'], truth: { from: 'x' } } },
    'labels.truth.from must be "key" or "folder" or "file" or "member" or "column" or "record", is "x"',
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
  [{ transform: 5 }, 'transform must be an object with engine, maxConcurrency, contentType, accept, '],
  [{ labels: { classes: ['a', ''] } }, 'labels.classes.1 must be a string of 1 to 200 characters, is ""'],
  [{ gate: { minRecall: { a: 2 } } }, 'gate.minRecall.a must be 0..1 or an object'],
  [
    { gate: { significance: 0.05 } },
    'gate.significance was removed: it let a loss pass for lack of evidence. Write "maxAccuracyDrop": 0.01 with "confidence": 0.95',
  ],
  [
    { report: { calibrationBins: [10] } },
    'report.calibrationBins was removed: errors over different numbers of bins cannot be compared. Leave it out',
  ],
  [{ labels: { classes: ['a', 'b'], strict: 1 } }, 'labels.strict must be true or false, is 1'],
  [{ labels: { classes: ['a', 'b'], classOffset: 0.5 } }, 'labels.classOffset must be '],
  [{ model: { ...LEAST.model, environment: [] } }, 'model.environment must be an object, is []'],
  [{ transform: { accept: 'x'.repeat(300) } }, `is "${'x'.repeat(76)}…`],
  [{ labels: {} }, 'labels.classes is missing: it must be an array of 2 to 100000 or an object with file. '],
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

test('a field that is missing is explained', () => {
  expect(lines(pipelineProblems({ labels: { classes: ['a', 'b'] } }))).toEqual([
    expect.stringMatching(/^model.framework is missing: it must be "?.*tensorflow.*/),
    expect.stringMatching(
      /^model.frameworkVersion is missing: it must be a string\. Version of the framework: /,
    ),
  ]);
});

test('what is wrong is left to its default where the rest can be checked', () => {
  const text = JSON.stringify({ ...LEAST, transform: { maxPayloadInMB: 500, instanceCount: 3 } });
  expect(parsePipelineConfig(text)).toMatchObject({
    repaired: { transform: { maxPayloadInMB: 'auto', instanceCount: 3 }, model: LEAST.model },
  });
  expect(parsePipelineConfig('[]')).not.toHaveProperty('repaired');
  expect(parsePipelineConfig(JSON.stringify(LEAST))).not.toHaveProperty('repaired');
});

test.each<[SchemaNode, string]>([
  [{ type: 'integer', minimum: 1, maximum: 9 }, '1..9'],
  [{ type: 'integer', minimum: 1 }, '1 or more'],
  [{ type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER }, '1 or more'],
  [{ type: 'number', exclusiveMinimum: 0 }, 'above 0'],
  [{ type: 'number', exclusiveMinimum: 0, maximum: 1 }, 'above 0, up to 1'],
  [{ type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 }, 'above 0, below 1'],
  [{ type: 'integer' }, 'a whole number'],
  [{ type: 'number' }, 'a number'],
  [{ type: 'boolean' }, 'true or false'],
  [{ type: 'string' }, 'a string'],
  [{ type: 'string', maxLength: 9 }, 'a string of 0 to 9 characters'],
  [{ type: 'array' }, 'an array'],
  [{ type: 'array', minItems: 2 }, 'an array of 2 or more'],
  [{ type: 'object' }, 'an object'],
  [{ type: 'object', properties: { a: {}, b: {} } }, 'an object with a, b'],
  [{ type: ['null', 'string'] }, 'null or a string'],
  [{ type: 'date' }, 'a date'],
  [{}, 'another value'],
  [{ enum: ['a', 1] }, 'one of "a", 1'],
  [{ const: 'a' }, '"a"'],
])('%j is %s in words', (node, words) => {
  expect(toExpectation([node, node])).toBe(words);
});

test.each([
  ['isntance', ['distance', 'instance'], 'instance'],
  ['labels', ['laxyls', 'laezls', 'lazbls', 'labelss'], 'labelss'],
])('of two swapped letters, %s among %j is meant as %s', (written, known, nearest) => {
  expect(nearestName(written, known)).toBe(nearest);
});

test.each([
  ['instanceCuont', 'instanceCount'],
  ['InstanceCount', 'instanceCount'],
  ['nistanceCount', 'instanceCount'],
  ['labls', 'labels'],
  ['ba', 'ab'],
  ['abcd', 'abc'],
  ['qwertyuiop', undefined],
  ['xyz', undefined],
])('%s is nearest to %s', (written, nearest) => {
  expect(nearestName(written, ['instanceCount', 'labels', 'ab', 'abc'])).toBe(nearest);
});
