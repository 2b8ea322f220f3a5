import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JobConfig } from '../../../src/pipeline/job-config.ts';
import { mergeJob } from '../../../src/pipeline/merge-job.ts';
import { PipelineConfig } from '../../../src/pipeline/pipeline-config.ts';

const WRITTEN = {
  model: { framework: 'pytorch', frameworkVersion: '2.6.0' },
  labels: { classes: ['a', 'b'] },
  transform: { instanceTypes: ['ml.g5.xlarge'], instanceCount: 7 },
  gate: { minAccuracy: 0.5, maxErrorRate: 0.5 },
  limits: { maxCostUsd: 50, maxRuntimeMinutes: 100 },
};
const pipeline = PipelineConfig.parse(WRITTEN);

const share = fc.double({ min: 0, max: 1, noNaN: true });
const amount = fc.double({ min: 0.01, max: 200, noNaN: true });
const option = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const job = fc.record(
  {
    transform: fc.record(
      {
        accept: option(fc.string({ minLength: 1 })),
        maxPayloadInMB: option(fc.integer({ min: 1, max: 100 })),
      },
      { requiredKeys: [] },
    ),
    labels: fc.record(
      {
        classOffset: option(fc.integer({ min: -1000, max: 1000 })),
        classes: option(fc.constant(['x', 'y'])),
      },
      { requiredKeys: [] },
    ),
    gate: fc.record({ minAccuracy: option(share), maxErrorRate: option(share) }, { requiredKeys: [] }),
    limits: fc.record(
      { maxCostUsd: option(amount), maxRuntimeMinutes: option(amount) },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<JobConfig>;

test('without a job.json nothing changes', () => {
  expect(mergeJob(pipeline, undefined)).toEqual({ config: pipeline, problems: [], judgedByDrop: [] });
  expect(mergeJob(pipeline, {}).config).toEqual(pipeline);
});

test('whatever a job.json says, what is merged is a whole configuration with the pipeline’s model and instances', () => {
  fc.assert(
    fc.property(job, (given) => {
      const { config } = mergeJob(pipeline, given);
      const { task, ...labels } = config.labels;
      expect(PipelineConfig.parse({ ...config, labels })).toEqual(config);
      expect(task).toBe(pipeline.labels.task);
      expect(config.model).toEqual(pipeline.model);
      expect(config.transform).toMatchObject({ instanceTypes: ['ml.g5.xlarge'], instanceCount: 7 });
    }),
  );
});

test('gate and limits of an accepted job.json are never looser than the pipeline’s', () => {
  fc.assert(
    fc.property(job, (given) => {
      const { config, problems } = mergeJob(pipeline, given);
      const looser =
        config.gate!.minAccuracy! < 0.5 ||
        config.gate!.maxErrorRate! > 0.5 ||
        config.limits.maxCostUsd! > 50 ||
        config.limits.maxRuntimeMinutes > 100;
      expect(problems.length > 0).toBe(looser);
    }),
  );
});

test('what is said wins, field by field', () => {
  const { config } = mergeJob(pipeline, {
    transform: { accept: 'text/csv' },
    labels: { classOffset: -1 },
    report: { topK: [3] },
  });
  expect(config.transform).toEqual({ ...pipeline.transform, accept: 'text/csv' });
  expect(config.labels).toEqual({ ...pipeline.labels, classOffset: -1 });
  expect(config.report).toEqual({ ...pipeline.report, topK: [3] });
});

test('a gate may be set where the pipeline has none', () => {
  const { config, problems } = mergeJob({ ...pipeline, gate: null }, { gate: { minAccuracy: 0.1 } });
  expect([config.gate, problems]).toEqual([{ minAccuracy: 0.1 }, []]);
});

test('a gate that a drop sets where the pipeline has none keeps the run from being deployed', () => {
  const gate = { minAccuracy: 0.1 };
  expect(mergeJob({ ...pipeline, gate: null }, { gate }).judgedByDrop).toEqual(['gate']);
  expect(mergeJob(pipeline, { gate: { minAccuracy: 0.9 } }).judgedByDrop).toEqual([]);
});

test.each<['never' | 'when-gate-passes', JobConfig['gate'], string[]]>([
  ['when-gate-passes', { minInputs: 29 }, ['gate.minInputs']],
  ['when-gate-passes', { minInputs: 30, confidence: 0.95 }, []],
  ['when-gate-passes', { confidence: 0.94 }, ['gate.confidence']],
  ['when-gate-passes', { confidence: null }, ['gate.confidence']],
  ['when-gate-passes', { minLabeled: 0.95 }, []],
  ['when-gate-passes', { minLabeled: 0.89 }, ['gate.minLabeled']],
  ['when-gate-passes', { minLabeled: null }, ['gate.minLabeled']],
  ['never', { minLabeled: 0.1 }, []],
  ['never', { minInputs: 1, confidence: null }, []],
])('the defaults of a gate are no looser for a drop (deploy %s, %j)', (deploy, gate, fields) => {
  const own = PipelineConfig.parse({ ...WRITTEN, endpoint: { deploy } });
  expect(mergeJob(own, { gate }).problems.map(({ field }) => field)).toEqual(fields);
});

test.each<[JobConfig, [number, number | null], string[]]>([
  [{ sample: null }, [30, 0.95], []],
  [{ sample: null, gate: { minInputs: 40 } }, [40, 0.95], []],
  [
    { sample: null, gate: { minInputs: 1, confidence: null } },
    [1, null],
    ['gate.minInputs', 'gate.confidence'],
  ],
])(
  'the gate of a pipeline with a sample is no looser for a drop taken whole (%j)',
  (given, judged, fields) => {
    const own = PipelineConfig.parse({ ...WRITTEN, sample: { inputs: 50 } });
    const { config, problems } = mergeJob(own, given);
    expect([config.gate?.minInputs, config.gate?.confidence]).toEqual(judged);
    expect(problems.map(({ field }) => field)).toEqual(fields);
  },
);

test('bounds on loss and recall only get tighter, and only the pipeline chooses what a loss is measured from', () => {
  const strict = PipelineConfig.parse({
    ...WRITTEN,
    report: { baseline: 'last-passed' },
    gate: { maxAccuracyDrop: 0.1, minRecall: { '*': 0.5, a: 0.8 } },
  });
  const fields = (given: JobConfig, base = strict) =>
    mergeJob(base, given).problems.map(({ field }) => field);
  expect(fields({ gate: { maxAccuracyDrop: 0.2 } })).toEqual(['gate.maxAccuracyDrop']);
  expect(fields({ gate: { maxAccuracyDrop: 0 } })).toEqual([]);
  expect(fields({ gate: { minRecall: { a: 0.7, b: 0.4 } } })).toEqual([
    'gate.minRecall.a',
    'gate.minRecall.b',
  ]);
  expect(fields({ gate: { minRecall: 0.4 } })).toEqual(['gate.minRecall.*']);
  expect(fields({ gate: { minRecall: { a: { minRecall: 0.8, minInputs: 29 } } } })).toEqual([
    'gate.minRecall.a.minInputs',
  ]);
  expect(mergeJob(strict, { gate: { minRecall: { b: 0.6 } } }).config.gate?.minRecall).toEqual({
    '*': { minRecall: 0.5, minInputs: 30 },
    a: { minRecall: 0.8, minInputs: 30 },
    b: { minRecall: 0.6, minInputs: 30 },
  });
  expect(fields({ report: { baseline: 'p/d/000001' } })).toEqual(['report.baseline']);
  expect(fields({ report: { baseline: null } })).toEqual(['report.baseline']);
  expect(fields({ report: { baseline: 'last-passed' } })).toEqual([]);
  expect(fields({ report: { baseline: 'p/d/000001' } }, pipeline)).toEqual([]);
});

test.each<[JobConfig, string[]]>([
  [{ labels: { classes: ['a', 'b'] } }, ['labels.classes']],
  [
    {
      labels: {
        truth: { from: 'file', path: 'labels.csv', column: null },
        numbers: 'index',
        classOffset: -1,
      },
    },
    ['labels.truth', 'labels.numbers', 'labels.classOffset'],
  ],
  [{ input: { s3Prefix: 's3://b/shared/' } }, ['input']],
  [
    { transform: { contentType: 'text/csv', accept: 'text/csv', inputFilter: '$[1:]' } },
    ['transform.contentType', 'transform.accept', 'transform.inputFilter'],
  ],
  [{ transform: { maxPayloadInMB: 1 }, report: { topK: [1] }, gate: { minAccuracy: 1 } }, []],
])('%j keeps its run from being deployed for %j', (given, fields) => {
  expect(mergeJob(pipeline, given).judgedByDrop).toEqual(fields);
});

/** `1.5` at `gate.minAccuracy` → `{gate: {minAccuracy: 1.5}}`. */
const at = (field: string, value: unknown): any =>
  field.split('.').reduceRight((inner, name) => ({ [name]: inner }), value);

test.each([
  ['gate.minAccuracy', 0.5, 0.4, 0.6, 'at least'],
  ['gate.maxErrorRate', 0.5, 0.6, 0.4, 'at most'],
  ['gate.maxAccuracyDrop', 0.1, 0.2, 0, 'at most'],
  ['gate.minRecall.*', 0.5, 0.4, 0.6, 'at least'],
  ['limits.maxCostUsd', 5, 6, 4, 'at most'],
  ['limits.maxCostUsdPerDay', 5, 6, 4, 'at most'],
  ['limits.maxConcurrentRuns', 5, 6, 4, 'at most'],
  ['limits.maxRuntimeMinutes', 5, 6, 4, 'at most'],
])('%s of %d refuses %d, and takes %d', (field, bound, looser, tighter, side) => {
  const base = PipelineConfig.parse({
    ...WRITTEN,
    report: { baseline: 'last-passed' },
    ...at(field, bound),
  });
  expect(mergeJob(base, at(field, looser)).problems).toEqual([
    {
      file: 'job.json',
      field,
      value: String(looser),
      message: `must be ${side} pipeline.json's ${bound}, is ${looser}: a drop may only tighten it`,
    },
  ]);
  for (const value of [bound, tighter]) expect(mergeJob(base, at(field, value)).problems).toEqual([]);
});

const least = (minRecall: number, minInputs = 30) => ({ minRecall, minInputs });
test.each([
  [undefined, 0.5, 0.5],
  [0.5, undefined, 0.5],
  [0.5, 0.6, 0.6],
  [0.5, { a: 0.6 }, { '*': least(0.5), a: least(0.6) }],
  [{ a: 0.6 }, 0.7, { '*': least(0.7), a: least(0.6) }],
  [
    { '*': least(0.5, 100), a: least(0.8, 50) },
    { a: 0.9, b: 0.6 },
    { '*': least(0.5, 100), a: least(0.9, 50), b: least(0.6, 100) },
  ],
  [{ '*': least(0.5, 100) }, 0.7, { '*': least(0.7, 100) }],
  [{ '*': least(0.5, 10) }, { a: 0.7 }, { '*': least(0.5, 10), a: least(0.7, 10) }],
])('of the recall bounds %j and %j holds %j', (ofPipeline, ofJob, merged) => {
  const base = { ...pipeline, gate: { minRecall: ofPipeline } };
  const { config, problems } = mergeJob(base, { gate: { minRecall: ofJob } });
  expect(config.gate?.minRecall).toEqual(merged);
  expect(problems).toEqual([]);
});

test.each([
  [{ maxAccuracyDrop: 0.1 }, 'p/d/000001', true],
  [{ minAccuracy: 0.1 }, 'p/d/000001', false],
  [{ maxAccuracyDrop: 0.1 }, 'last-passed', false],
])('with the gate %j, the baseline %s of a drop is refused: %s', (gate, baseline, isRefused) => {
  const base = PipelineConfig.parse({ ...WRITTEN, gate, report: { baseline: 'last-passed' } });
  expect(mergeJob(base, { report: { baseline } }).problems).toEqual(
    isRefused
      ? [
          {
            file: 'job.json',
            field: 'report.baseline',
            value: baseline,
            message:
              'must be pipeline.json\'s "last-passed", is "p/d/000001": the gate compares with it, and a drop may only tighten the gate',
          },
        ]
      : [],
  );
});

test('two missing gates give none, an empty one of the drop is a gate', () => {
  const open = { ...pipeline, gate: null };
  expect(mergeJob(open, { labels: {} }).config.gate).toBeNull();
  expect(mergeJob(open, { gate: {} }).config.gate).toEqual({});
});
