import { expect, test } from 'vitest';
import { modelArchive } from '../../../packages/model-container/test/support/model-archive.ts';
import { readConfiguration } from '../../../src/app/plan/open/read-configuration.ts';
import { readLabelFile } from '../../../src/app/plan/read/label-file.ts';
import { readFound } from '../../../src/app/plan/read/read-found.ts';
import { writePlan } from '../../../src/app/plan/write/write-plan.ts';
import { frozenJson } from '../../../src/app/records/drop.ts';
import { decide } from '../../../src/plan/decide/decide.ts';
import { forEngine } from '../../../src/plan/engine/engine-config.ts';
import type { Asked } from '../../../src/plan/found.ts';
import { judge } from '../../../src/plan/judge/judge.ts';
import { judgeConfiguration } from '../../../src/plan/judge/judge-configuration.ts';
import { bucketLayout } from '../../../src/run/bucket-layout.ts';
import { frozenDrop, NOW, PARTS, PIPELINE, SETTINGS } from '../../support/drop-fixture.ts';

const OPENED = { unpacked: null, work: null, usd: 0, notes: [], defects: [], refusal: undefined };

test('reading, judging for each engine and deciding write nothing, and writing what was decided is all that is left', async () => {
  const store = await frozenDrop({
    files: Object.fromEntries(Array.from({ length: 400 }, (_, at) => [`${at}.png`, 5])),
    archive: await modelArchive({ '1/saved_model.pb': 'graph', 'code/inference.py': 'def handler(): pass' }),
    pipeline: {
      ...PIPELINE,
      labels: { ...PIPELINE.labels, truth: { from: 'file', path: 'labels.csv' } },
      transform: { engine: 'auto' },
      sample: { inputs: 100, by: 'none' },
    },
  });
  store.put(`${bucketLayout.dropFolder(PARTS)}labels.csv`, 'key,label\n0.png,circle\n');
  const read = await readConfiguration(store, PARTS, []);
  const asked: Asked = {
    run: PARTS,
    bucket: store.bucket,
    settings: SETTINGS,
    written: [],
    original: null,
    bundling: null,
    firstAttempt: 1,
    frozen: await frozenJson(PARTS).require(store),
    configuration: { ...read, config: read.config! },
  };
  store.requests.length = 0;
  const found = await readFound(asked, OPENED, store);
  const isWrite = ({ operation }: { operation: string }) => !['GET', 'HEAD', 'LIST'].includes(operation);
  expect(store.requests.filter(isWrite)).toEqual([]);
  const reads = store.requests.length;

  // In any order, and as often as one likes.
  const verdicts = (['lambda', 'sagemaker', 'lambda'] as const).map((name) => judge(found, name));
  expect(verdicts.map(({ problems }) => problems)).toEqual([[], [], []]);
  expect(JSON.stringify(verdicts[2])).toBe(JSON.stringify(verdicts[0]));
  const decision = decide(found, [judge(found, 'sagemaker'), judge(found, 'lambda')]);
  expect(store.requests).toHaveLength(reads);

  if (decision.status !== 'decided') throw new Error(decision.status);
  const plan = await writePlan(decision, { store, clock: () => NOW, settings: SETTINGS });
  expect(plan).toMatchObject({ engine: { name: 'lambda' }, sample: { inputs: 100, of: 400 } });
  const written = store.requests.filter(isWrite).map(({ key }) => key);
  expect(new Set(written).size).toBe(written.length);
  expect(written).toEqual(
    expect.arrayContaining([
      bucketLayout.labels(PARTS),
      bucketLayout.labelIndex(PARTS),
      bucketLayout.sample(PARTS),
    ]),
  );
  expect(written.indexOf(bucketLayout.plan(PARTS))).toBeGreaterThan(
    written.indexOf(bucketLayout.sample(PARTS)),
  );
});

test('a label file with too many rows to be sorted in memory is refused with their number', async () => {
  const store = await frozenDrop({
    pipeline: { ...PIPELINE, labels: { ...PIPELINE.labels, truth: { from: 'file', path: 'labels.csv' } } },
  });
  store.put(`${bucketLayout.dropFolder(PARTS)}labels.csv`, 'key,label\na.png,circle\nb.png,square\n');
  const { config, ...read } = await readConfiguration(store, PARTS, []);
  const frozen = await frozenJson(PARTS).require(store);
  const judged = judgeConfiguration(
    { ...read, config: forEngine(config!, 'sagemaker', SETTINGS) },
    SETTINGS.region,
  );
  const readWith = (most: number) => readLabelFile(store, { run: PARTS, frozen }, judged, most);
  expect(await readWith(2)).toMatchObject({ problems: [], parts: [{ bytes: expect.any(Number) }] });
  expect(await readWith(1)).toMatchObject({
    parts: [],
    problems: [
      { file: 'labels.csv', message: expect.stringMatching(/^has more than 1 rows, .*split the drop/) },
    ],
  });
});
