import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import { encodePng } from '@inferdrop/image/encode-png';
import type { Pixels } from '@inferdrop/image/internal/pixels';
import { readImage } from '@inferdrop/image/read-image';
import { shrink } from '@inferdrop/image/shrink';
import { lookAt } from '../../../functions/runtime/look-at.ts';
import { modelArchive } from '../../../packages/model-container/test/support/model-archive.ts';
import { comparedFor, countsFor, type SetAside } from '../../../src/app/records/set-aside.ts';
import type { Evaluation } from '../../../src/app/records/training.ts';
import { evaluateModel } from '../../../src/app/training/evaluate-model.ts';
import { registerModel } from '../../../src/app/training/register-model.ts';
import { Frozen } from '../../../src/drop/frozen.ts';
import { bucketLayout } from '../../../src/run/bucket-layout.ts';
import { toExecutionName } from '../../../src/run/execution-name.ts';
import { parseRunId } from '../../../src/run/run-id.ts';
import type { TrainingPlan } from '../../../src/training/training-plan.ts';
import { asInput } from '../../support/as-input.ts';
import { NOW } from '../../support/drop-fixture.ts';
import { memoryExecutions } from '../../support/memory-executions.ts';
import type { MemoryObjectStore } from '../../support/memory-object-store.ts';
import {
  digestOf,
  endJudgingRun,
  JUDGED,
  putManifest,
  trainedDrop,
  TRAINING,
  TRAINING_PARTS,
  trainingPlan,
} from '../../support/training-fixture.ts';

const PLAIN = { transform: { contentType: 'text/csv' } };
const PREFIX = 'incoming/shapes/monday/';

let executions = memoryExecutions();
let now = NOW;
beforeEach(() => {
  now = NOW;
  executions = memoryExecutions();
});

/** A training whose model is registered, and the drop that judges it. */
async function registered({
  plan,
  serving = null,
  inputs = { 'x.png': 'x', 'y.png': 'y' },
  pipeline = PLAIN,
}: {
  pipeline?: object;
  plan?: Partial<TrainingPlan>;
  /** The archive that the pipeline has. */
  serving?: Buffer | null;
  inputs?: Record<string, string | Uint8Array>;
} = {}) {
  const key = bucketLayout.pipelineModel('shapes');
  const store = await trainedDrop({ pipeline });
  const incumbent = serving && {
    sha256: digestOf(serving),
    etag: store.put(key, serving).etag,
    content: null,
  };
  store.put(bucketLayout.plan(TRAINING_PARTS), JSON.stringify({ ...trainingPlan(), incumbent, ...plan }));
  putManifest(store, JUDGED, PREFIX, inputs);
  const { sha256 } = await registerModel({ run: TRAINING_PARTS }, { store });
  const evaluate = () =>
    evaluateModel({ run: TRAINING_PARTS }, { store, lookAt, executions: () => executions, clock: () => now });
  return { store, sha256, evaluate };
}

const digestOfMd5 = (text: string) => createHash('md5').update(text).digest('hex');
const evaluation = (store: MemoryObjectStore) =>
  JSON.parse(store.text(bucketLayout.evaluation(TRAINING_PARTS))!) as Record<string, unknown>;
const setAsideOf = (store: MemoryObjectStore) =>
  JSON.parse(store.text(bucketLayout.setAside(TRAINING_PARTS))!) as SetAside;
const frozenOf = (store: MemoryObjectStore, run: string) =>
  Frozen.parse(JSON.parse(store.text(bucketLayout.frozen(parseRunId(run)!))!));
const started = () => executions.all.map(({ input }) => (JSON.parse(input) as { run: string }).run);

test('without a drop that judges there is no verdict', async () => {
  const after: TrainingPlan['after'] = { evaluate: null, promote: 'ask', deploy: 'never' };
  const { evaluate } = await registered({ plan: { after } });
  expect(await evaluate()).toEqual({ status: 'evaluated', verdict: 'none', candidateRun: null });
  expect(executions.all).toEqual([]);
});

describe('the first model of a pipeline', () => {
  test('is judged by a repetition of the frozen manifest', async () => {
    const { store, sha256, evaluate } = await registered();
    expect(await evaluate()).toEqual({ status: 'waiting', waitSeconds: 1 });
    expect(await evaluate()).toEqual({ status: 'waiting', waitSeconds: 2 });
    expect(started()).toEqual([`${JUDGED}r2`]);
    expect(frozenOf(store, `${JUDGED}r2`)).toMatchObject({
      status: 'frozen',
      objects: 2,
      origin: { mode: 'rerun', of: JUDGED },
      manifestSlices: frozenOf(store, JUDGED).manifestSlices,
      candidate: { sha256, training: TRAINING, baseline: null, maxCostUsd: 4.95 },
    });
    now = new Date(now.getTime() + 600_000);
    expect(await evaluate()).toEqual({ status: 'waiting', waitSeconds: 30 });
    now = new Date(now.getTime() + 3_600_000);
    expect(await evaluate()).toEqual({ status: 'waiting', waitSeconds: 60 });
    endJudgingRun(store, `${JUDGED}r2`, { gate: 'passed' });
    expect(await evaluate()).toEqual({
      status: 'evaluated',
      verdict: 'passed',
      candidateRun: `${JUDGED}r2`,
    });
    expect(executions.starts).toHaveLength(1);
  });

  test.each([1, 2, 3, 4])('starts nothing twice where the step dies at its request %d', async (at) => {
    const { store, evaluate } = await registered();
    for (let step = 0; step < 6; step++) {
      let writes = 0;
      const { createIfAbsent, replace } = store;
      const dying =
        <A extends unknown[], R>(act: (...given: A) => Promise<R>) =>
        async (...given: A): Promise<R> => {
          const answer = await act(...given);
          if (step < 3 && ++writes === at - step) throw new Error('killed');
          return answer;
        };
      Object.assign(store, { createIfAbsent: dying(createIfAbsent), replace: dying(replace) });
      await evaluate().catch(() => undefined);
      Object.assign(store, { createIfAbsent, replace });
    }
    expect(started()).toEqual([`${JUDGED}r2`]);
  });

  test.each<[string, Frozen['candidate']]>([
    ['a rerun', undefined],
    ['another training', { training: 'training/shapes/x/000001', sha256: '', baseline: null, maxCostUsd: 1 }],
    ['another model of the training', { training: TRAINING, sha256: 'a', baseline: null, maxCostUsd: 1 }],
  ])('takes the next number where %s took the claimed one first', async (_, candidate) => {
    const { store, evaluate, sha256 } = await registered();
    await evaluate();
    const taken = candidate?.sha256 === '' ? { ...candidate, sha256 } : candidate;
    const other = taken?.sha256 === 'a' ? { ...taken, sha256: 'a'.repeat(64) } : taken;
    const frozen = { ...frozenOf(store, JUDGED), candidate: other };
    store.put(bucketLayout.frozen(parseRunId(`${JUDGED}r2`)!), JSON.stringify(frozen));
    for (let step = 0; step < 4; step++) await evaluate();
    expect(started()).toEqual([`${JUDGED}r3`]);
  });
});

describe('where a model serves', () => {
  test('it judges the same files first, if it has not yet, and pays from the same cap', async () => {
    const serving = await modelArchive({ '1/saved_model.pb': 'old' });
    const { store, evaluate, sha256 } = await registered({ serving });
    // The trained model waits for what it is compared with, however often the step looks.
    for (let step = 0; step < 6; step++) expect(await evaluate()).toMatchObject({ status: 'waiting' });
    expect(started()).toEqual([`${JUDGED}r2`]);
    expect(frozenOf(store, `${JUDGED}r2`).candidate).toMatchObject({
      sha256: digestOf(serving),
      baseline: null,
      maxCostUsd: 4.95,
    });
    expect(store.keys('models/')).toContain(bucketLayout.model(digestOf(serving)));
    endJudgingRun(store, `${JUDGED}r2`, { costUsd: 0.45, sha256: digestOf(serving) });
    for (let step = 0; step < 3; step++) await evaluate();
    expect(frozenOf(store, `${JUDGED}r3`).candidate).toEqual({
      sha256,
      training: TRAINING,
      baseline: `${JUDGED}r2`,
      maxCostUsd: 4.5,
    });
    endJudgingRun(store, `${JUDGED}r3`, { gate: 'failed' });
    expect(await evaluate()).toEqual({
      status: 'evaluated',
      verdict: 'failed',
      candidateRun: `${JUDGED}r3`,
    });
    expect(evaluation(store)).toMatchObject({
      incumbentRun: { run: `${JUDGED}r2`, isOwn: true },
      candidateRun: { run: `${JUDGED}r3`, isOwn: true },
    });
  });

  test.each(['completed', 'completed-with-errors'])(
    'its newest run over the same files is compared with, if it is %s',
    async (status) => {
      const serving = await modelArchive({ '1/saved_model.pb': 'old' });
      const { store, evaluate } = await registered({ serving });
      endJudgingRun(store, JUDGED, { status, sha256: digestOf(serving) });
      endJudgingRun(store, 'shapes/monday/000002', { sha256: digestOf(serving) });
      for (let step = 0; step < 4; step++) await evaluate();
      expect(started()).toEqual([`${JUDGED}r2`]);
      expect(frozenOf(store, `${JUDGED}r2`).candidate).toMatchObject({ baseline: JUDGED, maxCostUsd: 4.95 });
      expect(evaluation(store)).toMatchObject({ incumbentRun: { run: JUDGED, isOwn: false } });
    },
  );

  test.each<[string, string, Parameters<typeof endJudgingRun>[2], (string | undefined)?]>([
    ['of another drop', 'shapes/friday/000001', {}],
    ['of other files of the drop', 'shapes/monday/000002', {}],
    ['that ended without predictions', JUDGED, { status: 'failed' }],
    ['of another model', JUDGED, { sha256: 'd'.repeat(64) }],
    ['whose rows have expired', JUDGED, {}, bucketLayout.shards(parseRunId(JUDGED)!)],
  ])('it is not compared with by a run %s', async (_, run, ended, expired) => {
    const serving = await modelArchive({ '1/saved_model.pb': 'old' });
    const { store, evaluate } = await registered({ serving });
    endJudgingRun(store, run, { sha256: digestOf(serving), ...ended });
    if (expired !== undefined) store.remove(expired);
    await evaluate();
    expect(evaluation(store)).toMatchObject({ incumbentRun: { run: `${JUDGED}r2`, isOwn: true } });
  });

  test('it is judged without a cap where the training has none, and costs nothing known where its run does', async () => {
    const serving = await modelArchive({ '1/saved_model.pb': 'old' });
    const limits = { maxCostUsd: null, maxRunSeconds: 60, maxWaitSeconds: 14_400 };
    const { store, evaluate } = await registered({ serving, plan: { limits } });
    for (let step = 0; step < 2; step++) await evaluate();
    endJudgingRun(store, `${JUDGED}r2`, { report: { costUsd: null } });
    for (let step = 0; step < 3; step++) await evaluate();
    for (const run of [`${JUDGED}r2`, `${JUDGED}r3`])
      expect(frozenOf(store, run).candidate).toMatchObject({ maxCostUsd: null });
  });

  test('it is compared with by a run that it has had, though something took its place meanwhile', async () => {
    const serving = await modelArchive({ '1/saved_model.pb': 'old' });
    const { store, evaluate } = await registered({ serving });
    endJudgingRun(store, JUDGED, { sha256: digestOf(serving) });
    store.put(bucketLayout.pipelineModel('shapes'), 'another');
    for (let step = 0; step < 4; step++) await evaluate();
    expect(frozenOf(store, `${JUDGED}r2`).candidate).toMatchObject({ baseline: JUDGED });
  });

  test('it is not compared with what took its place meanwhile', async () => {
    const serving = await modelArchive({ '1/saved_model.pb': 'old' });
    const { store, evaluate } = await registered({ serving });
    store.put(bucketLayout.pipelineModel('shapes'), 'another');
    await expect(evaluate()).rejects.toMatchObject({
      name: 'EvaluationFailed',
      message: expect.stringContaining('was replaced after the training had been planned'),
    });
  });
});

test('inputs that were trained on are found by their content', async () => {
  const { store, evaluate } = await registered({
    inputs: { 'other-name.png': 'a', 'twice.png': 'a', 'x.png': 'x', 'y.png': 'b' },
  });
  await evaluate();
  expect(evaluation(store).trainedOn).toEqual({
    count: 3,
    first: [`${PREFIX}other-name.png`, `${PREFIX}y.png`],
    compared: 4,
  });
});

test('what was trained on counts for no gate; copies among the rest are found by the plan of the run that judges', async () => {
  const { store, evaluate } = await registered({
    inputs: { '1.png': 'a', '2.png': 'easy', '3.png': 'easy', '4.png': 'a' },
  });
  await evaluate();
  const { etag, size } = store.info(`${PREFIX}1.png`)!;
  expect(setAsideOf(store).contents).toEqual([{ etag, size }]);
});

test('all that lies in a file that was trained on is set aside, though each record has a content of its own', async () => {
  const { store, evaluate } = await registered({ inputs: { 'rows.csv': 'a', 'others.csv': 'x' } });
  await evaluate();
  const counts = countsFor(setAsideOf(store));
  const rowOf = (name: string) => ({
    content: 'digest of a row',
    size: 4,
    member: { object: name, etag: store.info(`${PREFIX}${name}`)!.etag, start: 0, end: 4 },
  });
  expect(counts?.(rowOf('rows.csv'))).toBe(false);
  expect(counts?.(rowOf('others.csv'))).toBe(true);
});

describe('rows of tables', () => {
  const TABLES = {
    columns: { features: ['x', 'y'] },
    labels: { classes: ['circle', 'square'], truth: { from: 'column', column: 'shape' } },
    transform: { contentType: 'text/csv' },
  };
  const csv = (rows: readonly string[]) => ['x,y,shape', ...rows, ''].join('\n');
  const rows = (from: number, count: number, shape = 'circle') =>
    Array.from({ length: count }, (_, at) => `${from + at},1,${shape}`);

  async function judged(
    inputs: Record<string, string>,
    trained: Record<string, string>,
    pipeline: object = TABLES,
  ) {
    const { store, evaluate } = await registered({ inputs, pipeline });
    putManifest(store, TRAINING, 'training/shapes/tuesday/', trained);
    await evaluate();
    const counts = countsFor(setAsideOf(store)) ?? (() => true);
    const isCounted = (name: string, text: string) =>
      counts({
        content: digestOfMd5(`${text}\n`),
        size: text.length,
        member: { object: name, etag: store.info(PREFIX + name)!.etag, start: 0, end: 1 },
      });
    return { ...(evaluation(store) as unknown as Evaluation), isCounted };
  }

  test('that were copied are set aside, whatever their label, and the others count', async () => {
    const { trainedOn, equalRows, isCounted } = await judged(
      { 'new.csv': csv(rows(1_000, 90)), 'mixed.csv': csv([...rows(0, 10, 'square'), ...rows(2_000, 10)]) },
      { 'a.csv': csv(rows(0, 200)) },
    );
    expect(trainedOn).toEqual({ count: 10, first: [`${PREFIX}mixed.csv`], compared: 110 });
    expect(equalRows).toEqual({
      areCopies: true,
      equal: 10,
      repeated: 0,
      trained: 200,
      unread: { count: 0, first: [] },
    });
    expect(isCounted('mixed.csv', '3,1')).toBe(false);
    expect(isCounted('mixed.csv', '2003,1')).toBe(true);
  });

  test('that are coarse count, though the training has them', async () => {
    const coarse = (count: number) => Array.from({ length: count }, (_, at) => `${at % 3},1,circle`);
    const { trainedOn, equalRows, isCounted } = await judged(
      { 'a.csv': csv(coarse(30)) },
      { 'b.csv': csv(coarse(90)) },
    );
    expect(trainedOn).toEqual({ count: 0, first: [], compared: 30 });
    expect(equalRows).toMatchObject({ areCopies: false, equal: 30, repeated: 30, trained: 90 });
    expect(isCounted('a.csv', '2,1')).toBe(true);
  });

  test('of a file that was trained on are all set aside, without a test', async () => {
    const { trainedOn, equalRows, isCounted } = await judged(
      { 'a.csv': csv(rows(0, 2)), 'b.csv': csv(rows(0, 2)), 'c.csv': csv(rows(1, 2)) },
      { 'other.csv': csv(rows(0, 2)) },
    );
    expect(trainedOn).toEqual({ count: 4, first: [`${PREFIX}a.csv`], compared: 6 });
    expect(equalRows).toMatchObject({ areCopies: false, equal: 1 });
    expect(isCounted('b.csv', '1,1')).toBe(false);
    expect(isCounted('c.csv', '1,1')).toBe(true);
  });

  test('are found among lines of files, too', async () => {
    const lines = { ...PLAIN, transform: { contentType: 'text/csv', splitType: 'Line' } };
    const text = (from: number) =>
      rows(from, 20)
        .map((row) => `${row.split(',')[0]!},1\n`)
        .join('');
    const { trainedOn } = await judged({ 'a.csv': text(0) }, { 'b.csv': text(10) }, lines);
    expect(trainedOn).toMatchObject({ count: 10, compared: 20 });
  });

  test('of files that are no such tables are not known', async () => {
    const { equalRows } = await judged(
      { 'a.csv': csv(rows(0, 2)) },
      { 'b.csv': 'x,z\n1,2\n', 'c.csv': csv(rows(0, 1)) },
    );
    expect(equalRows).toMatchObject({
      trained: 1,
      unread: { count: 1, first: [expect.stringContaining('training/shapes/tuesday/b.csv ')] },
    });
  });

  test('are not read once the time for it is over, and that is told', async () => {
    const inputs = { 'a.csv': csv(rows(0, 2)) };
    const { store } = await registered({ inputs, pipeline: TABLES });
    let hours = 0;
    const clock = () => new Date(NOW.getTime() + hours++ * 3_600_000);
    await evaluateModel({ run: TRAINING_PARTS }, { store, lookAt, executions: () => executions, clock });
    expect(evaluation(store)).toMatchObject({
      trainedOn: { count: 0, compared: 1 },
      equalRows: { trained: 0, unread: { count: 3 } },
    });
  });
});

describe('groups that training and evaluation share', () => {
  const inputs = { 'p1_1.png': 'j', 'p2_1.png': 'k', 'p3_1.png': 'l', 'p3_2.png': 'a', 'x.png': 'm' };
  const trained = { 'p1_7.png': 'a', 'p3_1.png': 'b', 'other.png': 'c' };

  async function judgedBy(clusters: object, files: Record<string, string> = trained) {
    const { store, evaluate } = await registered({ inputs, pipeline: { ...PLAIN, report: { clusters } } });
    putManifest(store, TRAINING, 'training/shapes/tuesday/', files);
    await evaluate();
    const counts = countsFor(setAsideOf(store)) ?? (() => true);
    const counted = store
      .keys(PREFIX)
      .map((key) => asInput(store.info(key)!))
      .filter(counts);
    return {
      counted: counted.map(({ name }) => name.slice(PREFIX.length)),
      shared: evaluation(store).sharedGroups,
    };
  }

  test('count for no gate, and files without a group are told', async () => {
    const { counted, shared } = await judgedBy({ from: 'key', pattern: '(?P<p>p[0-9]+)_', name: 'patient' });
    expect(counted).toEqual(['p2_1.png', 'x.png']);
    expect(shared).toEqual({ noun: 'patient', groups: 2, first: ['p1', 'p3'], count: 2, withoutGroup: 1 });
  });

  test('are counted by folders below the folder of each', async () => {
    const { counted, shared } = await judgedBy(
      { from: 'folder', level: 1, name: 'scene' },
      { 'p1/1.png': 'z' },
    );
    expect(counted).toHaveLength(5);
    expect(shared).toMatchObject({ noun: 'scene', groups: 0, count: 0 });
  });

  test('are those of any copy of a file', async () => {
    const { store, evaluate } = await registered({
      inputs: { 'p1_1.png': 'j', 'p2_1.png': 'j', 'p4_1.png': 'k' },
      pipeline: {
        ...PLAIN,
        report: { clusters: { from: 'key', pattern: '(?P<p>p[0-9]+)_', name: 'patient' } },
      },
    });
    putManifest(store, TRAINING, 'training/shapes/tuesday/', { 'p2_7.png': 'a' });
    await evaluate();
    expect(evaluation(store).sharedGroups).toMatchObject({ groups: 1, first: ['p2'], count: 2 });
    expect(setAsideOf(store).contents).toHaveLength(1);
  });

  test('are not looked for where a file is a group', async () => {
    expect((await judgedBy({ from: 'object' })).shared).toBeNull();
  });
});

describe('images that look like one that was trained on', () => {
  const photo = readFileSync(new URL('../../../packages/image/test/fixtures/photo.jpg', import.meta.url));
  const pixels = readImage(photo, { atLeast: 48, maxPixels: 10_000 });
  const at = (width: number, height: number): Uint8Array => encodePng(shrink(pixels, { width, height }));
  /** A pattern of colored stripes in a direction of its own. */
  const stripes = (direction: number): Pixels => ({
    width: 48,
    height: 48,
    channels: 3,
    data: Uint8Array.from({ length: 48 * 48 * 3 }, (_, place) => {
      const pixel = Math.floor(place / 3);
      const along = Math.cos(direction) * (pixel % 48) + Math.sin(direction) * Math.floor(pixel / 48);
      return 128 + 100 * Math.sin(along / 4 + (place % 3));
    }),
  });
  const others = Object.fromEntries(
    Array.from({ length: 10 }, (_, index) => [`other-${index}.png`, encodePng(stripes(index / 4))]),
  );

  async function judgedBy(inputs: Record<string, string | Uint8Array>, trained: Record<string, Uint8Array>) {
    const { store, evaluate } = await registered({ inputs });
    putManifest(store, TRAINING, 'training/shapes/tuesday/', trained);
    await evaluate();
    return store;
  }

  test('are found in another encoding and size, and count for no gate', async () => {
    const store = await judgedBy(
      { ...others, 'same.png': at(64, 48), 'large.png': at(128, 96), 'notes.txt': 'no image' },
      { 'photo.jpg': photo },
    );
    const like = 'training/shapes/tuesday/photo.jpg';
    expect(evaluation(store)).toMatchObject({
      trainedOn: { count: 0 },
      nearDuplicates: {
        count: 2,
        first: [
          { key: `${PREFIX}large.png`, like },
          { key: `${PREFIX}same.png`, like },
        ],
        judged: 12,
        trained: 1,
        isUnclear: false,
      },
    });
    const counts = countsFor(setAsideOf(store))!;
    const left = store.keys(PREFIX).filter((key) => !counts(asInput(store.info(key)!)));
    expect(left).toEqual([`${PREFIX}large.png`, `${PREFIX}same.png`]);
  });

  test('are not those that were overwritten after they had been frozen', async () => {
    const { store, evaluate } = await registered({ inputs: { ...others, 'same.png': at(64, 48) } });
    putManifest(store, TRAINING, 'training/shapes/tuesday/', { 'photo.jpg': photo });
    store.put('training/shapes/tuesday/photo.jpg', encodePng(stripes(9)));
    await evaluate();
    expect(evaluation(store).nearDuplicates).toMatchObject({ count: 0, judged: 11, trained: 0 });
  });

  test('are not told where the images of the evaluation are alike', async () => {
    const alike = Object.fromEntries([64, 66, 68, 70].map((width) => [`${width}.png`, at(width, 48)]));
    const store = await judgedBy(alike, { 'photo.jpg': photo });
    expect(evaluation(store).nearDuplicates).toMatchObject({ count: 0, first: [], isUnclear: true });
    expect(setAsideOf(store).contents).toEqual([]);
  });

  test('are not looked for where no input is an image', async () => {
    const store = await judgedBy({ 'a.csv': '1,2', 'b.csv': '3,4' }, { 'photo.jpg': photo });
    expect(evaluation(store).nearDuplicates).toBeNull();
  });

  test('are looked for as long as there is time', async () => {
    const { store, evaluate } = await registered({ inputs: { ...others, 'same.png': at(64, 48) } });
    putManifest(store, TRAINING, 'training/shapes/tuesday/', { 'photo.jpg': photo });
    const open = store.open.bind(store);
    store.open = async (key, version) => {
      if (key.endsWith('same.png')) now = new Date(now.getTime() + 151_000);
      return open(key, version);
    };
    await evaluate();
    expect(evaluation(store).nearDuplicates).toMatchObject({ count: 0, trained: 0 });
  });
});

describe('the training that made the model which serves', () => {
  const BEFORE = 'training/shapes/monday/000001';
  const inputs = { '1.png': 'a', '2.png': 'old', '3.png': 'old', '4.png': 'new' };

  async function evaluated(change: (store: MemoryObjectStore) => void = () => undefined, pipeline = PLAIN) {
    const serving = await modelArchive({ '1/saved_model.pb': 'old' });
    const { store, evaluate } = await registered({ serving, inputs, pipeline });
    const before = parseRunId(BEFORE)!;
    putManifest(store, BEFORE, 'training/shapes/monday/', { 'x.png': 'old', 'y.png': 'other' });
    endJudgingRun(store, BEFORE);
    const made = {
      ...JSON.parse(store.text(bucketLayout.registered(TRAINING_PARTS))!),
      sha256: digestOf(serving),
    };
    store.put(bucketLayout.registered(before), JSON.stringify(made));
    change(store);
    await evaluate();
    const setAside = JSON.parse(store.text(bucketLayout.setAside(TRAINING_PARTS))!) as SetAside;
    const compared = store
      .keys(PREFIX)
      .map((key) => asInput(store.info(key)!))
      .filter(comparedFor(setAside)!)
      .map(({ name }) => name.slice(PREFIX.length));
    return { shared: evaluation(store).incumbentTrainedOn, compared };
  }

  test('keeps its inputs, too, out of the comparison', async () => {
    const { shared, compared } = await evaluated();
    expect(shared).toEqual({ training: BEFORE, count: 2 });
    expect(compared).toEqual(['4.png']);
  });

  test('keeps its rows out of the comparison, each counted once', async () => {
    const lines = { ...PLAIN, transform: { contentType: 'text/csv', splitType: 'Line' } };
    const rows = (from: number) => Array.from({ length: 20 }, (_, at) => `${from + at},1\n`).join('');
    const { shared } = await evaluated((store) => {
      putManifest(store, JUDGED, PREFIX, { 'same.csv': rows(0), 'b.csv': rows(110), 'c.csv': rows(900) });
      putManifest(store, BEFORE, 'training/shapes/monday/', { 'x.csv': rows(0), 'y.csv': rows(100) });
    }, lines);
    expect(shared).toEqual({ training: BEFORE, count: 30 });
  });

  test('keeps the groups of its inputs, too, out of the comparison', async () => {
    const report = { clusters: { from: 'key', pattern: '(?P<n>[0-9])[.]png', name: 'number' } };
    const { shared, compared } = await evaluated(
      (store) => putManifest(store, BEFORE, 'training/shapes/monday/', { '4.png': 'unlike' }),
      { ...PLAIN, report } as typeof PLAIN,
    );
    expect(shared).toEqual({ training: BEFORE, count: 1 });
    expect(compared).toEqual(['2.png', '3.png']);
  });

  test.each<[string, (store: MemoryObjectStore) => void]>([
    [
      'made another model',
      (store) => {
        const key = bucketLayout.registered(parseRunId(BEFORE)!);
        store.put(key, JSON.stringify({ ...JSON.parse(store.text(key)!), sha256: 'd'.repeat(64) }));
      },
    ],
    ['has expired', (store) => store.remove(bucketLayout.manifest(parseRunId(BEFORE)!))],
    ['registered nothing', (store) => store.remove(bucketLayout.registered(parseRunId(BEFORE)!))],
  ])('is not known where it %s', async (_, change) => {
    const { shared, compared } = await evaluated(change);
    expect(shared).toBeNull();
    expect(compared).toEqual(['2.png', '3.png', '4.png']);
  });
});

test('of the inputs that were trained on the first twenty are named, and each is counted', async () => {
  const names = Array.from({ length: 25 }, (_, at) => `${String(24 - at).padStart(2, '0')}.png`);
  const { store, evaluate } = await registered({
    inputs: Object.fromEntries([...names.map((name) => [name, name]), ['new.png', 'new']]),
  });
  putManifest(
    store,
    TRAINING,
    'training/shapes/tuesday/',
    Object.fromEntries(names.map((name) => [name, name])),
  );
  await evaluate();
  expect(evaluation(store).trainedOn).toEqual({
    count: 25,
    compared: 26,
    first: names
      .toSorted()
      .slice(0, 20)
      .map((name) => PREFIX + name),
  });
});

test('a judging run that left no report ends the training', async () => {
  const { store, evaluate } = await registered();
  await evaluate();
  endJudgingRun(store, `${JUDGED}r2`);
  store.remove(bucketLayout.reportJson(parseRunId(`${JUDGED}r2`)!));
  await expect(evaluate()).rejects.toThrow('which was to judge a model, ended without a report');
});

test('a run that ends without predictions ends the training, which names it', async () => {
  const { store, evaluate } = await registered();
  await evaluate();
  endJudgingRun(store, `${JUDGED}r2`, { status: 'failed' });
  await expect(evaluate()).rejects.toMatchObject({
    name: 'EvaluationFailed',
    message: `the run ${JUDGED}r2, which was to judge a model, ended failed: inferdrop report ${JUDGED}r2`,
  });
});

test('a cap that the training has used up leaves nothing to judge by', async () => {
  const { evaluate } = await registered({
    plan: { limits: { maxCostUsd: 0.05, maxRunSeconds: 60, maxWaitSeconds: 14_400 } },
  });
  await expect(evaluate()).rejects.toMatchObject({
    name: 'EvaluationFailed',
    message: expect.stringContaining('maxCostUsd ($0.05) leaves nothing for the evaluation'),
  });
});

test('the name of the execution is the one of the run', async () => {
  const { evaluate } = await registered();
  await evaluate();
  await evaluate();
  expect(executions.all[0]!.name).toBe(toExecutionName(parseRunId(`${JUDGED}r2`)!));
});
