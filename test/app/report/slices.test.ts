import { zstdDecompressSync } from 'node:zlib';
import { parquetReadObjects } from 'hyparquet';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { imageFacts } from '../../../functions/runtime/image-facts.ts';
import { thumbnail } from '../../../functions/runtime/thumbnail.ts';
import { LabelSorter, writeSortedLabels } from '../../../src/app/plan/read/label-file.ts';
import { foldPredictions } from '../../../src/app/report/fold-predictions.ts';
import { writeReport } from '../../../src/app/report/write-report.ts';
import type { ScoringPlan } from '../../../src/plan/scoring-plan.ts';
import { Report } from '../../../src/report/report.ts';
import { readRows } from '../../../src/report/table/read-rows.ts';
import { bucketLayout } from '../../../src/run/bucket-layout.ts';
import type { Dimension } from '../../../src/slice/dimension.ts';
import { memoryEngineLogs } from '../../support/memory-engine-logs.ts';
import type { MemoryObjectStore } from '../../support/memory-object-store.ts';
import { planWith, reconciledRun, type RunInput, runKeys } from '../../support/report-run.ts';

const NOW = new Date('2026-11-21T10:00:00.000Z');
const SITE: Dimension = { from: 'folder', name: 'site', level: 1 };
const answer = (places: readonly number[]) => JSON.stringify({ predictions: [places] });
const CIRCLE = answer([0.8, 0.1, 0.1]);
const STAR = answer([0.1, 0.1, 0.8]);

/** Circles of a folder, of which so many are taken for stars. */
const circles = (folder: string, count: number, wrong: number): RunInput[] =>
  Array.from({ length: count }, (_, at) => ({
    name: `${folder}/${String(at).padStart(4, '0')}-circle.png`,
    output: at < wrong ? STAR : CIRCLE,
  }));

const planOf = (
  dimensions: readonly Dimension[],
  gate: ScoringPlan['gate'] = null,
): Pick<ScoringPlan, 'report' | 'gate'> => ({
  report: { ...planWith().report, slices: [...dimensions] },
  gate,
});

async function reported({
  store,
  shards,
  run,
}: Pick<ReturnType<typeof reconciledRun>, 'store' | 'shards' | 'run'>): Promise<Report> {
  for (const shard of shards) await foldPredictions(shard, { store, imageFacts, clock: () => new Date(0) });
  const clock = () => NOW;
  await writeReport(
    { run, startedAt: NOW.toISOString() },
    { store, clock, logs: memoryEngineLogs(), thumbnail },
  );
  return Report.parse(JSON.parse(store.text(bucketLayout.reportJson(run))!));
}

async function rowsOf(store: MemoryObjectStore): Promise<Record<string, unknown>[]> {
  const bytes = await store.readBytes(bucketLayout.rows(runKeys(), 0));
  const compressors = { ZSTD: (packed: Uint8Array) => zstdDecompressSync(packed) };
  return parquetReadObjects({ file: new Uint8Array(bytes!).buffer, compressors });
}

describe('slices of inputs that come in groups', () => {
  const scene: Dimension = { from: 'key', name: 'scene', pattern: '/[A-Z]/(?P<scene>[0-9]{2})' };
  const gate: ScoringPlan['gate'] = {
    slices: { '*': { minAccuracy: 0.8, minInputs: 30 } },
    minInputs: 30,
    minLabeled: 0.9,
    confidence: 0.95,
  };
  const judged = async (inputs: readonly RunInput[], clusters: ScoringPlan['report']['clusters']) => {
    const plan = planOf([SITE], gate);
    const run = reconciledRun(inputs, {
      plan: { ...plan, report: { ...plan.report, clusters } },
      perShard: 7,
    });
    return (await reported(run)).gate;
  };
  const scenes = { noun: 'scene', by: [scene] };
  const alike = (folder: string, count: number, most: number): RunInput[] =>
    Array.from({ length: count }, (_, at) => ({
      name: `${folder}/${String(at % most).padStart(2, '0')}-${at}-circle.png`,
      output: CIRCLE,
    }));

  test('prove as much as their groups are worth, over shards', async () => {
    const inputs = alike('A', 40, 1);
    expect((await judged(inputs, null)).verdict).toBe('passed');
    expect(await judged(inputs, scenes)).toMatchObject({
      verdict: 'none',
      explanation: expect.stringContaining('site=A (40 of 40 prove 5%, minimum 80%)'),
    });
    expect((await judged(alike('A', 80, 40), scenes)).verdict).toBe('passed');
  });

  test('are worth no more together than one by one, though a group lies in several', async () => {
    const inputs = Array.from('ABCDEFGH', (folder) => alike(folder, 10, 2)).flat();
    expect((await judged(inputs, null)).verdict).toBe('passed');
    expect((await judged(inputs, scenes)).explanation).toContain(
      'small slices of site together (80 of 80 prove 22.36%, minimum 80%)',
    );
  });
});

describe('a run of three sites, one of them weak', () => {
  const inputs = [
    ...circles('A', 400, 20),
    ...circles('B', 100, 40),
    ...circles('C', 12, 6),
    { name: '0-circle.png', output: CIRCLE },
  ];

  test('names the weak site first, with its difference and the mistakes it costs', async () => {
    const report = await reported(reconciledRun(inputs, { plan: planOf([SITE]), perShard: 60 }));
    const { slices } = report;
    expect(slices).toMatchObject({
      dimensions: [{ name: 'site', values: 3, other: { labeled: 0, correct: 0 } }],
      found: 4,
      tested: 2,
    });
    expect(slices?.weakest.map(({ value, labeled, correct }) => [value, labeled, correct])).toEqual([
      ['B', 100, 60],
      ['A', 400, 380],
      ['C', 12, 6],
      [null, 1, 1],
    ]);
    const [weakest, strongest, small] = slices?.weakest ?? [];
    // By hand: the rest has 387 of 413 right; 100 × (387/413 − 0.6).
    expect(weakest?.difference).toBeCloseTo(0.6 - 387 / 413, 12);
    expect(weakest?.excessMistakes).toBeCloseTo(100 * (387 / 413 - 0.6), 9);
    expect(weakest?.pValue).toBeLessThan(1e-12);
    expect(strongest?.excessMistakes).toBe(0);
    expect(small?.pValue).toBeNull();
  });

  test('gives the same slices however it is cut into shards', async () => {
    const one = await reported(reconciledRun(inputs, { plan: planOf([SITE]) }));
    const many = await reported(reconciledRun(inputs, { plan: planOf([SITE]), perShard: 7 }));
    expect(many.slices).toEqual(one.slices);
  });

  test('tells of it on page and in summary, and keeps a column of each dimension', async () => {
    const made = reconciledRun(inputs, { plan: planOf([SITE]) });
    await reported(made);
    const page = made.store.text(bucketLayout.reportHtml(made.run))!;
    expect(page).toContain('<section id="slices">');
    const summary = made.store.text(bucketLayout.summary(made.run))!;
    expect(summary).toMatch(
      /- Weakest: 60\.0% \(site=B: 60 of 100 right, the rest 93\.7%; p \\< 0\.0001 after Holm’s correction for 2 slices\)/,
    );
    expect(made.store.text(bucketLayout.athenaTable(made.run))).toContain('  `slice_site` string\n)');
    const rows = await rowsOf(made.store);
    expect(Map.groupBy(rows, (row) => row['slice_site']).get('B')).toHaveLength(100);
    expect(rows.at(0)).toMatchObject({ key: expect.stringContaining('A/'), slice_site: 'A' });
    expect(rows.at(-1)).toMatchObject({ slice_site: null });
    // Readers of an earlier release find their columns.
    const bytes = await made.store.readBytes(bucketLayout.rows(made.run, 0));
    expect((await readRows(bytes!).next()).value).toHaveLength(513);
  });

  const bound = (minAccuracy: number) => ({ minAccuracy, minInputs: 30 });
  const gateOf = (slices: object): ScoringPlan['gate'] =>
    ({ slices, minInputs: 1, minLabeled: null, confidence: null }) as ScoringPlan['gate'];

  test.each([
    [
      { 'site=B': bound(0.85) },
      'failed',
      'The gate failed: accuracy is too low in site=B (60 of 100 right, 60%, minimum 85%).',
    ],
    [{ 'site=A': bound(0.85) }, 'passed', 'The gate passed: accuracy reaches its minimum in 1 slice.'],
    [
      { 'site=D': bound(0.85) },
      'none',
      'The gate has no verdict: accuracy is judged in 0 of 1 slice; not in site=D (0 labeled inputs of the 30 that it needs).',
    ],
    [{ '*': bound(0.59) }, 'passed', 'The gate passed: accuracy reaches its minimum in 2 slices.'],
  ])('under the gate %j it %s', async (slices, verdict, explanation) => {
    const { gate } = await reported(reconciledRun(inputs, { plan: planOf([SITE], gateOf(slices)) }));
    expect(gate).toMatchObject({ verdict, explanation });
  });

  test('without dimensions has none, and no column more', async () => {
    const made = reconciledRun(inputs);
    expect((await reported(made)).slices).toBeNull();
    expect(made.store.text(bucketLayout.reportHtml(made.run))).not.toContain('id="slices"');
    expect(made.store.text(bucketLayout.athenaTable(made.run))).not.toContain('slice_');
    expect(JSON.parse(made.store.text(bucketLayout.tally(made.run, 0))!)).not.toHaveProperty('slices');
  });
});

describe('folders named by an uploader', () => {
  const LONG = 'x'.repeat(900);
  const NAMES = [
    ...['other', 'no value', '*', '=', 'a=b', '__proto__', 'constructor', "=cmd|' C calc'!A0", '<b>bold'],
    ...['caf\u00e9', 'cafe\u0301', 'B', '\u0412', 'line\nThe gate passed', '\u001b[2J', LONG],
  ];
  const inputs = NAMES.flatMap((name, at) => circles(name, 4, at % 3));
  const shown = (name: string) => (name === LONG ? `${'x'.repeat(199)}…` : name);

  test('stay apart as they are in report and rows, and their text moves and marks up nothing', async () => {
    const gate = {
      slices: { '*': { minAccuracy: 0.9, minInputs: 1 } },
      minInputs: 1,
      minLabeled: null,
      confidence: null,
    } as ScoringPlan['gate'];
    const made = reconciledRun(inputs, { plan: planOf([SITE], gate), perShard: 5 });
    const report = await reported(made);
    const counts = report.slices!.weakest.map(({ value, labeled, correct }) => [value, labeled, correct]);
    expect(counts.toSorted()).toEqual(NAMES.map((name, at) => [shown(name), 4, 4 - (at % 3)]).toSorted());
    expect((await rowsOf(made.store)).map((row) => row['slice_site'])).toEqual(
      inputs.slice(0, 5).map(({ name }) => shown(name.slice(0, name.lastIndexOf('/')))),
    );
    expect(report.gate.verdict).toBe('failed');
    const page = made.store.text(bucketLayout.reportHtml(made.run))!;
    expect(page).not.toContain('<b>bold');
    const texts = [page, made.store.text(bucketLayout.summary(made.run))!];
    for (const text of texts) {
      // eslint-disable-next-line no-control-regex -- none may be left
      expect(text).not.toMatch(/\u001b|\nThe gate passed/);
    }
  });

  test.each(NAMES.filter((name) => name !== LONG))(
    '%j is judged by the bound that names it alone',
    async (name) => {
      const slices = { [`site=${name}`]: { minAccuracy: 1, minInputs: 4 } };
      const gate = { slices, minInputs: 1, minLabeled: null, confidence: null } as ScoringPlan['gate'];
      const report = await reported(reconciledRun(inputs, { plan: planOf([SITE], gate) }));
      expect(report.gate.verdict).toBe(NAMES.indexOf(name) % 3 === 0 ? 'passed' : 'failed');
    },
  );

  test('of 2,000 the one that the gate names is judged, whatever its lot', async () => {
    const many = Array.from({ length: 2_000 }, (_, at) => ({
      name: `f${at}/${String(at).padStart(5, '0')}-circle.png`,
      output: at === 77 ? STAR : CIRCLE,
    }));
    const gate = {
      slices: { 'site=f77': { minAccuracy: 0.5, minInputs: 1 } },
      minInputs: 1,
      minLabeled: null,
      confidence: null,
    } as ScoringPlan['gate'];
    const { gate: verdict, slices } = await reported(
      reconciledRun(many, { plan: planOf([SITE], gate), perShard: 200 }),
    );
    expect(verdict.explanation).toBe(
      'The gate failed: accuracy is too low in site=f77 (0 of 1 right, 0%, minimum 50%).',
    );
    expect(slices).toMatchObject({
      dimensions: [{ values: 1_001, other: { labeled: 999, correct: 999 } }],
      found: 1_001,
    });
    expect(slices!.weakest).toHaveLength(200);
    expect(slices!.weakest[0]).toMatchObject({ value: 'f77', labeled: 1, correct: 0 });
  });
});

test('an input without a prediction counts in no slice, and its row keeps its value', async () => {
  const made = reconciledRun([...circles('A', 2, 0), { name: 'A/x-circle.png', error: 'model-error' }], {
    plan: planOf([SITE]),
  });
  expect((await reported(made)).slices?.weakest).toMatchObject([{ value: 'A', labeled: 2, correct: 2 }]);
  expect(await rowsOf(made.store)).toContainEqual(
    expect.objectContaining({ error: 'model-error', slice_site: 'A' }),
  );
});

test('a column of the label file tells the records of one file apart', async () => {
  const run = runKeys();
  const made = reconciledRun([{ name: 'table.jsonl', output: [CIRCLE, STAR, STAR].join('\n') }], {
    plan: planOf([{ from: 'file', name: 'shift', column: 'shift' }]),
  });
  const sorter = new LabelSorter();
  const key = `${bucketLayout.dropFolder(run)}table.jsonl`;
  sorter.add(
    ['day', 'night', ''].map((shift, recordIndex) => ({
      key,
      recordIndex,
      label: 'circle',
      fields: [shift],
    })),
  );
  const index = await writeSortedLabels(made.store, run, sorter.finish());
  const labels = {
    ...made.plan.labels,
    truth: { from: 'file', path: 'labels.csv', column: null },
    file: 'x',
    index,
  };
  const transform = { ...made.plan.transform, contentType: 'application/jsonlines' };
  made.store.put(bucketLayout.plan(run), JSON.stringify({ ...made.plan, labels, transform }));
  const { slices } = await reported(made);
  const counts = slices?.weakest.map(({ value, labeled, correct }) => [value, labeled, correct]);
  expect(counts?.toSorted()).toEqual([
    [null, 1, 0],
    ['day', 1, 1],
    ['night', 1, 0],
  ]);
});

describe('images', () => {
  const gray = (luma: number, width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: { r: luma, g: luma, b: luma } } });

  async function runOf(
    files: Record<string, Uint8Array>,
    dimensions: Dimension[],
    { errors = {}, gate = null }: { errors?: Record<string, string>; gate?: ScoringPlan['gate'] } = {},
  ) {
    const inputs = Object.entries(files).map(([name, { length: size }]) => ({
      name,
      size,
      output: CIRCLE,
      ...(errors[name] !== undefined && { error: errors[name] }),
    }));
    const made = reconciledRun(inputs, { plan: planOf(dimensions, gate) });
    for (const [name, bytes] of Object.entries(files))
      made.store.put(`${bucketLayout.dropFolder(made.run)}${name}`, bytes);
    return made;
  }

  test('are told apart by side, format and light; what is no image has no value', async () => {
    const properties = ['width', 'height', 'format', 'brightness'] as const;
    const made = await runOf(
      {
        '1-circle.png': await gray(10, 40, 300).png().toBuffer(),
        '2-circle.png': await gray(200, 700, 80).jpeg().toBuffer(),
        '3-circle.png': await gray(130, 64, 64).webp({ lossless: true }).toBuffer(),
        '4-circle.png': Buffer.from('no image'),
      },
      properties.map((property) => ({ from: 'image', name: property, property })),
    );
    await reported(made);
    const rows = await rowsOf(made.store);
    expect(rows.map((row) => properties.map((name) => row[`slice_${name}`]))).toEqual([
      ['0-63', '256-511', 'png', '0-63'],
      ['512-1023', '64-127', 'jpeg', '192-255'],
      ['64-127', '64-127', 'webp', '128-191'],
      [null, null, null, null],
    ]);
  });

  test('without an answer count in their slice, unless they changed during the run', async () => {
    const png = await gray(10, 40, 300).png().toBuffer();
    const slices = { 'format=png': { minAccuracy: 0.9, minInputs: 1 } };
    const made = await runOf(
      { '1-circle.png': png, '2-circle.png': png, '3-circle.png': png },
      [{ from: 'image', name: 'format', property: 'format' }],
      {
        errors: { '2-circle.png': 'model-error', '3-circle.png': 'superseded' },
        gate: { slices, minInputs: 1, minLabeled: null, confidence: null } as ScoringPlan['gate'],
      },
    );
    expect((await reported(made)).gate.explanation).toContain('in format=png (1 of 2 right, 50%');
    expect((await rowsOf(made.store)).map((row) => row['slice_format'])).toEqual(['png', 'png', null]);
  });

  test('only their beginning is read for sides and format, more where a preview is before the header', async () => {
    const photo = await gray(50, 300, 200).jpeg().toBuffer();
    const segment = Buffer.concat([Buffer.from('ffe1ffff', 'hex'), Buffer.alloc(65_533)]);
    const files = {
      '1-circle.png': Buffer.concat([photo, Buffer.alloc(200_000)]),
      '2-circle.png': Buffer.concat([photo.subarray(0, 2), segment, segment, photo.subarray(2)]),
    };
    const made = await runOf(files, [{ from: 'image', name: 'width', property: 'width' }]);
    const read: number[] = [];
    const { readBytes } = made.store;
    const store = {
      ...made.store,
      in: () => ({
        ...made.store,
        readBytes: async (key: string, range?: { start: number; end: number }) => {
          read.push((range?.end ?? 0) - (range?.start ?? 0));
          return readBytes(key, range);
        },
      }),
    } as MemoryObjectStore;
    await foldPredictions(made.shards[0]!, { store, imageFacts, clock: () => new Date(0) });
    expect(read.sort((a, b) => a - b)).toEqual([65_536, 65_536, files['2-circle.png'].length]);
    expect((await rowsOf(made.store)).map((row) => row['slice_width'])).toEqual(['256-511', '256-511']);
  });

  test('those whose turn comes after 10 minutes are not measured, and the report says so', async () => {
    const files = Object.fromEntries(
      await Promise.all(
        ['1', '2', '3'].map(async (name) => [`${name}-circle.png`, await gray(10, 70, 300).png().toBuffer()]),
      ),
    );
    const properties = ['brightness', 'width'] as const;
    const made = await runOf(
      files,
      properties.map((property) => ({ from: 'image', name: property, property })),
    );
    // The clock is asked at the beginning, and before each image: the second one takes the time of the third.
    const times = [0, 1_000, 2_000, 600_000].map((ms) => new Date(ms));
    const decoded: boolean[] = [];
    const watched = (file: Uint8Array, decodes: boolean) => {
      decoded.push(decodes);
      return imageFacts(file, decodes);
    };
    const services = { store: made.store, imageFacts: watched, clock: () => times.shift()! };
    await foldPredictions(made.shards[0]!, services);
    expect(decoded.sort()).toEqual([false, true, true]);
    expect((await rowsOf(made.store)).map((row) => [row['slice_brightness'], row['slice_width']])).toEqual([
      ['0-63', '64-127'],
      ['0-63', '64-127'],
      ['not measured', '64-127'],
    ]);
    const clock = () => NOW;
    await writeReport(
      { run: made.run, startedAt: NOW.toISOString() },
      { store: made.store, clock, logs: memoryEngineLogs(), thumbnail },
    );
    const report = made.store.text(bucketLayout.reportHtml(made.run));
    expect(report).toContain('not measured');
  });

  test('nothing is read of them where no dimension asks', async () => {
    const made = await runOf({ '1-circle.png': Buffer.from('x') }, [SITE]);
    const looked = () => {
      throw new Error('must not be looked at');
    };
    await expect(
      foldPredictions(made.shards[0]!, { store: made.store, imageFacts: looked, clock: () => new Date(0) }),
    ).resolves.toBeDefined();
  });
});
