import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { comparisonProgress, shardsJson } from '../../../src/app/records/comparison.ts';
import { jsonDocument } from '../../../src/app/records/document.ts';
import { freezingMark, frozenJson, listingProgress, pulseMark } from '../../../src/app/records/drop.ts';
import { changeJson, servedJson } from '../../../src/app/records/endpoint.ts';
import { foldFailureJson } from '../../../src/app/records/fold-failure.ts';
import { jobJson } from '../../../src/app/records/jobs.ts';
import { labelIndexJson } from '../../../src/app/records/labels.ts';
import { ledgerJson, sweepJson } from '../../../src/app/records/limits.ts';
import { messageJson, problemsJson } from '../../../src/app/records/run.ts';
import { reportFigures, runSummaryJson } from '../../../src/app/records/run-index.ts';
import { aRun } from '../../support/a-run.ts';
import { memoryObjectStore } from '../../support/memory-object-store.ts';
import { servedVariant } from '../../support/served-variant.ts';

const RUN = aRun('clothes/monday/000001');
const id = 'clothes/monday/000001';
const at = '2026-03-01T12:00:00.000Z';
const arn = 'arn:aws:states:eu-central-1:111122223333:execution:batch-inference:a';

/** Documents with all fields that are always there. */
const STORED = [
  [
    frozenJson(RUN),
    'state/clothes/monday/000001/frozen.json',
    {
      schema: 1,
      status: 'frozen',
      objects: 2,
      bytes: 9,
      largestObjectBytes: 5,
      emptyObjects: 0,
      tars: 0,
      sourceBucket: 'bucket',
      sourcePrefix: 'incoming/clothes/monday/',
      frozenAt: at,
      manifestSlices: [{ object: 'runs/clothes/monday/000001/freeze/a.manifest.jsonl', through: 'z' }],
      coveredSlices: [],
      origin: { mode: 'drop' },
    },
  ],
  [
    freezingMark(RUN),
    'state/clothes/monday/000001/freezing',
    { schema: 1, run: id, executionArn: arn, at, isCut: false },
  ],
  [pulseMark(RUN), 'state/clothes/monday/pulse', { schema: 1 }],
  [
    listingProgress(RUN),
    'runs/clothes/monday/000001/freeze/progress.json',
    {
      schema: 1,
      before: [],
      totals: { objects: 1, bytes: 1, largestObjectBytes: 1, emptyObjects: 0, tars: 0 },
      manifestSlices: [],
      coveredSlices: [],
      hidden: { count: 0, first: [] },
    },
  ],
  [
    problemsJson(RUN),
    'runs/clothes/monday/000001/problems.json',
    {
      schema: 1,
      problems: [{ file: 'job.json', field: 'input', value: { s3Prefix: 1 }, message: 'must …' }],
    },
  ],
  [
    jobJson(RUN, 1),
    'runs/clothes/monday/000001/jobs/1/job.json',
    {
      schema: 1,
      run: id,
      attempt: 1,
      kind: 'part',
      part: 1,
      jobName: 'inferdrop-clothes-1',
      engine: {
        name: 'sagemaker',
        instanceType: 'ml.m5.large',
        instanceCount: 1,
        maxConcurrentTransforms: 4,
        maxPayloadInMB: 1,
      },
      input: 'runs/clothes/monday/000001/parts/1/input.manifest',
      objects: 2,
      firstKey: 'a',
      lastKey: 'b',
      outputsBefore: 0,
      sample: [],
      status: 'Planned',
      createdAt: at,
      costUsd: null,
    },
  ],
  [
    comparisonProgress(RUN, 1),
    'runs/clothes/monday/000001/comparison/1/progress.json',
    {
      schema: 1,
      isDone: false,
      manifestBytes: 9,
      place: { foreign: [] },
      counts: { inputs: 1, outputs: 1, written: 1, writtenOfLast: 1, missing: 0, changed: 0 },
      cutter: { shards: [], start: 0, end: 9, inputs: 1, outputBytes: 2 },
      slices: [],
    },
  ],
  [
    shardsJson(RUN),
    'runs/clothes/monday/000001/shards.json',
    [{ run: id, shard: 0, start: 0, end: 9, inputs: 2 }],
  ],
  [
    foldFailureJson(RUN),
    'runs/clothes/monday/000001/fold/failure.json',
    { schema: 1, error: 'ClassCountMismatch', cause: '3 scores' },
  ],
  [
    reportFigures(RUN),
    'runs/clothes/monday/000001/report.json',
    {
      status: 'failed',
      total: 0,
      correct: null,
      errors: 0,
      accuracy: null,
      costUsd: null,
      gate: { verdict: 'none', explanation: 'No gate was judged.', isSet: false },
      isDoubted: false,
      labelChanges: null,
      errorsByReason: {},
    },
  ],
  [
    messageJson(RUN),
    'runs/clothes/monday/000001/message.json',
    { schema: 1, subject: 's', body: 'b', attributes: { pipeline: 'clothes' }, claimedAt: at },
  ],
  [
    runSummaryJson(RUN, new Date(at)),
    'index/clothes/8227633599999-monday-000001.json',
    {
      schema: 1,
      run: id,
      status: 'completed',
      endedAt: at,
      total: 2,
      correct: 2,
      accuracy: 1,
      costUsd: 0.1,
      gate: 'passed',
      rescoreOf: null,
      sampleOf: null,
      labeled: 2,
      seconds: 60,
    },
  ],
  [
    changeJson('clothes'),
    'endpoints/clothes/change.json',
    {
      schema: 1,
      action: 'deploy',
      executionArn: arn,
      startedAt: at,
      endpointName: 'e',
      configName: 'c',
      previousConfigName: null,
      requested: false,
      run: id,
      inherited: false,
      candidateName: null,
      busyUntil: null,
    },
  ],
  [
    servedJson('clothes'),
    'endpoints/clothes/served.json',
    {
      schema: 1,
      pipeline: 'clothes',
      endpointName: 'e',
      status: 'in-service',
      live: 'v',
      variants: {
        v: servedVariant(),
      },
      deployedAt: at,
      expiresAt: null,
      idleHours: null,
      warnedAt: null,
      warnedOf: null,
      owner: null,
      autoscaling: null,
      hourlyUsd: null,
      maxHourlyUsd: null,
    },
  ],
  [
    ledgerJson('clothes'),
    'state/clothes/ledger.json',
    {
      schema: 1,
      day: '2026-03-01',
      spentUsd: 0,
      endedRuns: 0,
      costliest: [],
      drops: 0,
      refusedDrops: 0,
      failedRuns: 0,
      active: [{ run: id, day: '2026-03-01', quoteUsd: null }],
      waiting: [],
    },
  ],
  [
    labelIndexJson('runs/clothes/monday/000001/sorted-labels/index.json'),
    'runs/clothes/monday/000001/sorted-labels/index.json',
    { schema: 1, parts: [{ object: 'o', bytes: 9, blocks: [['a', 0]] }] },
  ],
  [sweepJson(), 'state/sweep.json', { schema: 1 }],
] as const;

test.each(STORED.map(([document, key, stored]) => ({ document, key, stored })))(
  '$key is read, and without one of its fields refused as that of an earlier build',
  async ({ document, key, stored }) => {
    const store = memoryObjectStore();
    store.put(key, JSON.stringify(stored));
    expect(await document.read(store)).toEqual(stored);
    const remedy = key.startsWith('endpoints/') ? 'delete this object, then' : 'run it again (';
    for (const field of Object.keys(stored)) {
      store.put(key, JSON.stringify({ ...stored, [field]: undefined }));
      await expect(document.read(store)).rejects.toMatchObject({
        name: 'StoredByEarlierBuild',
        message: expect.stringContaining(`${key} was made by an earlier build of inferdrop: ${remedy}`),
      });
    }
  },
);

test('the field that does not fit is named', async () => {
  const store = memoryObjectStore();
  store.put('state/sweep.json', '{"schema": 1, "pass": {"startedAt": "2026-03-01T12:00:00.000Z"}}');
  await expect(sweepJson().read(store)).rejects.toThrow(/run it again \(pass\.after: .*undefined\)$/);
});

test('damaged JSON is no document of an earlier build', async () => {
  const store = memoryObjectStore();
  store.put('state/sweep.json', '{"schema": 1,');
  await expect(sweepJson().read(store)).rejects.toThrow(SyntaxError);
});

test('the compiler takes no schema with a default', () => {
  const key = () => 'state/x.json';
  jsonDocument({ key, write: 'once', schema: z.object({ size: z.int(), label: z.string().optional() }) });
  // @ts-expect-error: a field with a default hides that it is not there
  jsonDocument({ key, write: 'once', schema: z.object({ size: z.int().default(0) }) });
  const deep = z.array(z.object({ of: z.object({ id: z.null().default(null) }) }));
  // @ts-expect-error: the same, deeper in the document
  jsonDocument({ key, write: 'once', schema: deep });
});

/** Lines of the application's files that may read or write the bucket, without comments. */
function codeLines(): readonly string[] {
  const files = execFileSync('git', ['ls-files', 'functions', 'src/app', 'src/cli'], { encoding: 'utf8' });
  return (
    files
      .split('\n')
      .filter((file) => file.endsWith('.ts'))
      // Keys that IAM is asked about as examples, besides those recorded: nothing is read or written at them.
      .filter((file) => !file.startsWith('src/app/verify/role-calls/'))
      .flatMap((file) =>
        readFileSync(file, 'utf8')
          .split('\n')
          .filter((line) => !/^\s*(\/?\*|\/\/)/.test(line))
          .map((line) => `${file}: ${line.trim()}`),
      )
  );
}

test('no file of the application but the layout of the bucket spells a key', () => {
  const beginning = /['"`](runs|state|index|endpoints|models|pipelines|incoming|shared)\//;
  expect(codeLines().filter((line) => beginning.test(line))).toEqual([]);
});

test('no file makes a key of a folder and a name, since the layout says who writes it', () => {
  const made = codeLines().filter((line) => /`\$\{bucketLayout\.\w+\([^`]*\)\}[^`\s,]/.test(line));
  expect(made).toEqual([
    // The beginning of keys that are listed.
    expect.stringMatching(/^src\/app\/records\/bundles.ts: .*store\.list\(/),
    expect.stringMatching(/^src\/app\/training\/find-source.ts: return/),
  ]);
});
