import { describe, expect, test } from 'vitest';
import { planRun } from '../../../src/app/plan/plan-run.ts';
import { replaceLabels } from '../../../src/app/plan/write/replace-labels.ts';
import { Plan } from '../../../src/plan/plan.ts';
import { bucketLayout } from '../../../src/run/bucket-layout.ts';
import { aRun } from '../../support/a-run.ts';
import { PREFIX } from '../../support/drive-transform.ts';
import { frozenDrop, NOW, PARTS, PIPELINE, SETTINGS } from '../../support/drop-fixture.ts';
import type { MemoryObjectStore } from '../../support/memory-object-store.ts';
import { withProblemLines } from '../../support/problem-lines.ts';

const FILES = { 'A/1-cam1.png': 3, 'A/2-cam2.png': 3, 'B/3-cam1.png': 3 };
const SITE = { from: 'folder', level: 1, name: 'site' };
const CAMERA = { from: 'key', pattern: '(?P<camera>cam[0-9])' };
const SHIFT = { from: 'file', column: 'shift', name: 'shift' };
const LABELS_CSV =
  'key,label,shift\nA/1-cam1.png,circle,day\nA/2-cam2.png,square,night\nB/3-cam1.png,circle,\n';

interface Asked {
  readonly slices?: unknown[];
  readonly gate?: object | null;
  readonly truth?: unknown;
  readonly labels?: string;
  readonly more?: object;
  readonly job?: unknown;
  readonly files?: Record<string, number>;
}

async function drop({ slices = [], gate = null, truth, labels, more, job, files = FILES }: Asked) {
  const from = truth === undefined ? { from: 'file', path: 'labels.csv' } : truth;
  const pipeline = {
    ...PIPELINE,
    labels: { ...PIPELINE.labels, truth: from },
    report: { slices },
    gate,
    ...more,
  };
  const store = await frozenDrop({ pipeline, job, files });
  store.put(`${PREFIX}labels.csv`, labels ?? LABELS_CSV);
  return store;
}

const plan = (store: MemoryObjectStore) =>
  withProblemLines(planRun({ run: PARTS }, { store, clock: () => NOW, settings: SETTINGS }));

async function planned(asked: Asked): Promise<Plan> {
  const store = await drop(asked);
  await plan(store);
  return Plan.parse(JSON.parse(store.text(bucketLayout.plan(PARTS))!));
}

async function refusal(asked: Asked): Promise<string> {
  const store = await drop(asked);
  return plan(store).then(
    () => 'was planned',
    (error: Error) => error.message,
  );
}

describe('clusters', () => {
  const withClusters = (clusters: object, more: Asked = {}): Asked => ({
    slices: [SHIFT],
    ...more,
    more: { report: { slices: [SHIFT], clusters } },
  });

  test('have their column behind those of the slices', async () => {
    const labels = LABELS_CSV.replace('shift', 'shift,who').replaceAll(/,(day|night|)\n/g, ',$1,ann\n');
    const store = await drop(withClusters({ from: 'file', column: 'who', name: 'person' }, { labels }));
    await plan(store);
    const { report, labels: stored } = Plan.parse(JSON.parse(store.text(bucketLayout.plan(PARTS))!));
    expect(report.clusters).toEqual({
      noun: 'person',
      by: [{ from: 'file', column: 'who', name: 'person' }],
    });
    const { parts } = JSON.parse(store.text(stored.index!)!) as { parts: { object: string }[] };
    expect(store.text(parts[0]!.object)).toContain('["day","ann"]');
  });

  test.each([
    [{ from: 'object' }, { noun: 'group', by: [] }],
    [
      { from: 'key', pattern: '/(?P<site>[A-Z])/(?P<nr>[0-9])-' },
      {
        noun: 'group',
        by: [
          { from: 'key', name: 'site', pattern: '/(?P<site>[A-Z])/(?P<nr>[0-9])-' },
          { from: 'key', name: 'nr', pattern: '/(?P<site>[A-Z])/(?P<nr>[0-9])-' },
        ],
      },
    ],
  ])('%j', async (clusters, found) => {
    expect((await planned(withClusters(clusters))).report.clusters).toEqual(found);
  });

  test.each([
    [{ from: 'key', pattern: '[0-9]' }, 'report.clusters.pattern'],
    [{ from: 'folder', level: 0 }, 'report.clusters.level'],
    [{ from: 'image', property: 'width' }, 'report.clusters.from'],
  ])('%j is refused', async (clusters, field) => {
    expect(await refusal(withClusters(clusters))).toContain(field);
  });

  test('of a label file need one', async () => {
    const asked = withClusters({ from: 'file', column: 'who' }, { truth: { from: 'folder' } });
    expect(
      await refusal({ ...asked, more: { report: { clusters: { from: 'file', column: 'who' } } } }),
    ).toContain('report.clusters.from reads the label file');
  });

  test('are not for a drop to choose', async () => {
    expect(await refusal({ job: { report: { clusters: { from: 'object' } } } })).toContain('report.clusters');
  });
});

test('each group of a pattern becomes a dimension, and the columns go with the labels', async () => {
  const store = await drop({
    slices: [SITE, { from: 'key', pattern: '(?P<day>[0-9])-(?P<camera>cam[0-9])' }, SHIFT],
  });
  await plan(store);
  const { report, labels } = Plan.parse(JSON.parse(store.text(bucketLayout.plan(PARTS))!));
  expect(report.slices.map(({ name }) => name)).toEqual(['site', 'day', 'camera', 'shift']);
  const { parts } = JSON.parse(store.text(labels.index!)!) as { parts: { object: string }[] };
  expect(
    store
      .text(parts[0]!.object)!
      .trim()
      .split('\n')
      .map((row) => JSON.parse(row)),
  ).toEqual([
    [`${PREFIX}A/1-cam1.png`, 'circle', null, ['day']],
    [`${PREFIX}A/2-cam2.png`, 'square', null, ['night']],
    [`${PREFIX}B/3-cam1.png`, 'circle', null, ['']],
  ]);
});

describe('refused before it costs', () => {
  test.each<[string, Asked, string]>([
    [
      'a folder that no input has',
      { slices: [{ ...SITE, level: 3 }] },
      'pipeline.json: report.slices.0 gives none of 3 inputs a value for site; it was tried on ' +
        'incoming/shapes/monday/A/1-cam1.png: correct it, or leave it out',
    ],
    [
      'a pattern that matches nothing',
      { slices: [SITE, { from: 'key', pattern: '(?P<camera>lens[0-9])' }] },
      'pipeline.json: report.slices.1 gives none of 3 inputs a value for camera',
    ],
    [
      'a pattern that is none',
      { slices: [{ from: 'key', pattern: '(?P<camera>' }] },
      'pipeline.json: report.slices.0.pattern must be an RE2 regular expression',
    ],
    [
      'a pattern without a named group',
      { slices: [{ from: 'key', pattern: '(cam[0-9])' }] },
      'pipeline.json: report.slices.0.pattern must have a named group for each dimension',
    ],
    [
      'a group whose name cannot be a column',
      { slices: [{ from: 'key', pattern: '(?P<Camera>cam[0-9])' }] },
      'pipeline.json: report.slices.0.pattern must name its groups in small letters, digits and underscores, as site, has "Camera"',
    ],
    [
      'a name twice',
      { slices: [{ ...SITE, name: 'camera' }, CAMERA] },
      'pipeline.json: report.slices.1.pattern must give each dimension a name of its own, and report.slices.0 already has camera',
    ],
    [
      'a group name twice',
      { slices: [{ from: 'key', pattern: '(?P<a>c)|(?P<a>d)' }] },
      'pipeline.json: report.slices.0.pattern must be an RE2 regular expression: error parsing regexp: duplicate capture group name',
    ],
    [
      'a column that the label file lacks',
      { slices: [{ ...SHIFT, column: 'Shift' }] },
      'labels.csv: Shift must have the column "Shift", it has "key", "label", "shift": add it, or correct report.slices in pipeline.json',
    ],
    [
      'a column of a label file without a header',
      { slices: [SHIFT], labels: 'A/1-cam1.png,circle\n' },
      'labels.csv: shift must have the column "shift", it has no header',
    ],
    [
      'a column that the label file has twice',
      { slices: [SHIFT], labels: LABELS_CSV.replace('label,shift', 'label,shift,shift') },
      'labels.csv: shift must have the column "shift" once, has it 2 times: keep one of them, or correct report.slices in pipeline.json',
    ],
    [
      'an empty column',
      { slices: [SHIFT], labels: LABELS_CSV.replace(/day|night/g, '') },
      'pipeline.json: report.slices.0 gives none of 3 inputs a value for shift',
    ],
    [
      'a column where labels come from elsewhere',
      { slices: [SHIFT], truth: { from: 'folder' } },
      'pipeline.json: report.slices.0.from reads the label file, and labels.truth is "folder"',
    ],
    [
      'images where records are sent',
      {
        slices: [{ from: 'image', property: 'width', name: 'width' }],
        more: { transform: { contentType: 'text/csv' } },
      },
      'pipeline.json: report.slices.0.from reads images, and transform.contentType "text/csv" with splitType "None" sends other records',
    ],
    [
      'light of images that one function could not decode in its time',
      {
        slices: [{ from: 'image', property: 'brightness', name: 'light' }],
        files: Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`${at}.png`, 6_000_000])),
        labels: 'key,label\n1.png,circle\n',
      },
      'set limits.inputsPerShard to 400 or less',
    ],
    [
      'more dimensions than are counted',
      {
        slices: [
          {
            from: 'key',
            pattern: '(?P<a>.)(?P<b>.)(?P<c>.)(?P<d>.)(?P<e>.)(?P<f>.)(?P<g>.)(?P<h>.)(?P<i>.)',
          },
        ],
      },
      'pipeline.json: report.slices must have at most 8 dimensions, has 9: a, b, c, d, e, f, g, h, i',
    ],
    [
      'a bound on a slice without dimensions',
      { gate: { slices: { '*': { minAccuracy: 0.8 } } } },
      'pipeline.json: gate.slices.* bounds a slice, and report.slices names no dimension',
    ],
    [
      'a bound on a dimension that is not there',
      { slices: [SITE], gate: { slices: { 'place=B': { minAccuracy: 0.8 } } } },
      'pipeline.json: gate.slices.place=B names the dimension place, which report.slices does not have: it has site',
    ],
    [
      'a bound on no slice',
      { slices: [SITE], gate: { slices: { B: { minAccuracy: 0.8 } } } },
      'pipeline.json: gate.slices.B must be "*" or <dimension>=<value>; the dimensions are site',
    ],
    [
      'a bound on a value that is longer than any',
      { slices: [SITE], gate: { slices: { [`site=${'x'.repeat(201)}`]: { minAccuracy: 0.8 } } } },
      'must have a value of at most 200 characters, at which longer ones are cut, has 201',
    ],
    [
      'a bound on a bucket that does not exist',
      {
        slices: [{ from: 'image', property: 'brightness', name: 'light' }],
        gate: { slices: { 'light=dark': { minAccuracy: 0.8 } } },
      },
      'pipeline.json: gate.slices.light=dark must be a value that brightness can have, is "dark": 0-63, 64-127, 128-191, 192-255',
    ],
    [
      'a drop that changes the gate of slices',
      { slices: [SITE], job: { gate: { slices: { 'site=B': { minAccuracy: 0 } } } } },
      'job.json: gate.slices cannot be set by a drop',
    ],
    [
      'a drop that changes the dimensions',
      { slices: [SITE], job: { report: { slices: [] } } },
      'job.json: report.slices cannot be set by a drop',
    ],
  ])('%s', async (_, asked, message) => {
    expect(await refusal(asked)).toContain(message);
  });
});

describe('notes', () => {
  const gate = { slices: { 'site=B': { minAccuracy: 0.8 }, 'site=C': { minAccuracy: 0.8, minInputs: 1 } } };

  test('a slice of the gate that too few inputs have is told before the run costs', async () => {
    const { notes } = await planned({ slices: [SITE], gate });
    expect(notes.filter((note) => note.startsWith('gate.slices'))).toEqual([
      'gate.slices bounds "site=B", which 1 of 3 inputs has, fewer than the 30 that it needs: the gate will have no verdict',
      'gate.slices bounds "site=C", which 0 of 3 inputs have, fewer than the 1 that it needs: the gate will have no verdict',
    ]);
  });

  test('a value of a column counts in the inputs that have it', async () => {
    const bounds = {
      slices: { 'shift=day': { minAccuracy: 0.8, minInputs: 1 }, 'shift=night': { minAccuracy: 0.8 } },
    };
    const { notes } = await planned({ slices: [SHIFT], gate: bounds });
    expect(notes.filter((note) => note.startsWith('gate.slices'))).toEqual([
      'gate.slices bounds "shift=night", which 1 of 3 inputs has, fewer than the 30 that it needs: the gate will have no verdict',
    ]);
  });

  test('what reading the images costs', async () => {
    const { notes } = await planned({ slices: [{ from: 'image', property: 'brightness', name: 'light' }] });
    expect(notes).toContainEqual(
      expect.stringMatching(
        /^report\.slices reads 3 images again when their answers are counted \(9 B, \$0\.0000012 of requests\), and decodes them in up to /,
      ),
    );
  });
});

test('labels that replace those of a drop must have the columns', async () => {
  const store = await drop({ slices: [SHIFT] });
  const body = Buffer.from('key,label\nA/1-cam1.png,circle\n');
  await expect(replaceLabels(store, PARTS, body)).rejects.toThrow(
    'the new labels.csv must have the column "shift", it has "key", "label": add it, or correct report.slices in ' +
      'pipeline.json: nothing was replaced',
  );
});

test('a rerun has the dimensions of today, a replay those of the run that it repeats', async () => {
  const store = await drop({ slices: [SITE, SHIFT], gate: { slices: { 'site=B': { minAccuracy: 0.8 } } } });
  await plan(store);
  const of = 'shapes/monday/000001';
  const frozen = JSON.parse(store.text(bucketLayout.frozen(PARTS))!) as object;
  const pipeline = JSON.parse(store.text(bucketLayout.pipelineConfig('shapes'))!) as object;
  store.put(
    bucketLayout.pipelineConfig('shapes'),
    JSON.stringify({ ...pipeline, report: { slices: [CAMERA] }, gate: null }),
  );
  const again = async (mode: string, run = aRun(`${of}r2`)) => {
    store.put(bucketLayout.frozen(run), JSON.stringify({ ...frozen, origin: { mode, of } }));
    store.put(bucketLayout.manifest(run), store.text(bucketLayout.manifest(PARTS))!);
    await withProblemLines(planRun({ run }, { store, clock: () => NOW, settings: SETTINGS }));
    const { report, gate } = Plan.parse(JSON.parse(store.text(bucketLayout.plan(run))!));
    return [report.slices.map(({ name }) => name), Object.keys(gate?.slices ?? {})];
  };
  expect(await again('rerun')).toEqual([['camera'], []]);
  expect(await again('replay', aRun(`${of}r3`))).toEqual([['site', 'shift'], ['site=B']]);
});
