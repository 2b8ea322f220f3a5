import { expect, test } from 'vitest';
import { planRun } from '../../../src/app/plan/plan-run.ts';
import { toReportJob } from '../../../src/app/report/report-job.ts';
import { reconcileOutputs } from '../../../src/app/transform/reconcile-outputs.ts';
import { BundleFact } from '../../../src/plan/engine/first-bundle.ts';
import { Plan } from '../../../src/plan/plan.ts';
import { bucketLayout } from '../../../src/run/bucket-layout.ts';
import { DAY_MS } from '../../../src/text/milliseconds.ts';
import { toAnswerLine, toBundleHead, toErrorLine } from '../../../src/transform/output-bundle.ts';
import { type Behavior, drive, reconciled, record } from '../../support/drive-transform.ts';
import { NOW, PARTS, PIPELINE, RUN, SETTINGS } from '../../support/drop-fixture.ts';
import { memoryEngineLogs } from '../../support/memory-engine-logs.ts';
import type { MemoryObjectStore } from '../../support/memory-object-store.ts';
import { memorySageMaker } from '../../support/memory-sagemaker.ts';
import { packedTar } from '../../support/packed-tar.ts';
import { frozenFiles, planWithTars } from '../../support/tar-drop.ts';

const clock = () => NOW;
const planOf = (store: MemoryObjectStore) => Plan.parse(JSON.parse(store.text(bucketLayout.plan(PARTS))!));
const factKeys = async (store: MemoryObjectStore) =>
  (await Array.fromAsync(store.list('models/'))).map(({ key }) => key).filter((key) => /bundles/.test(key));
const factOf = async (store: MemoryObjectStore) => {
  const [key, ...others] = await factKeys(store);
  expect(others).toEqual([]);
  return key === undefined ? undefined : BundleFact.parse(JSON.parse(store.text(key)!));
};

const TABLE = {
  ...PIPELINE,
  columns: { features: ['x', 'y'] },
  transform: { contentType: 'text/csv', bundle: 'auto' },
  labels: { ...PIPELINE.labels, truth: { from: 'column', column: 'shape' } },
};
const IMAGES = { ...PIPELINE, transform: { bundle: 'auto' } };
const table = (rows: number) => ({
  'a.csv': `x,y,shape\n${Array.from({ length: rows }, (_, at) => `${at},1,circle\n`).join('')}`,
});

async function plannedTable(rows: number, pipeline: object = TABLE) {
  const store = await frozenFiles(table(rows), { pipeline });
  await planWithTars(store);
  return store;
}

const isBundles = (spec: Parameters<Behavior>[1]) => spec.contentType.startsWith('application/vnd.inferdrop');
/** What the handler that inferdrop adds answers about a bundle of records. */
const bundled =
  (store: MemoryObjectStore, refused = 0) =>
  (name: string) => {
    const [, folder, number, bundle] = /(parts|jobs)\/(\d+)\/(\d+)$/.exec(name)!;
    const items = store.text(bucketLayout.bundleItems(PARTS, `${folder}/${number}`))!;
    const { inputs } = (JSON.parse(items) as { inputs: number }[])[Number(bundle)]!;
    const failed = Array.from({ length: refused }, (_, at): [number, number] => [at, 400]);
    const lines = Array.from({ length: inputs }, (_, at) =>
      at < refused
        ? toErrorLine(String(at), { status: 400, message: 'x is no number' })
        : toAnswerLine(String(at), Buffer.from('0.9,0.1')),
    );
    return toBundleHead({ inputs, failed, ms: 1, memoryMB: null, isJoint: false }) + lines.join('');
  };
const answersBundles =
  (store: MemoryObjectStore, refused = 0): Behavior =>
  (inputs) => ({ write: inputs, status: 'Completed', body: bundled(store, refused) });
/** A handler that answers lines, and no bundles. */
const answersLines =
  (store: MemoryObjectStore, end: ReturnType<Behavior> = { write: [], status: 'Failed' }): Behavior =>
  (inputs, spec) => {
    if (isBundles(spec) || spec.contentType === 'application/x-tar') return end;
    const linesOf = (name: string) => {
      const staged = store.text(`${bucketLayout.bundles(PARTS)}${name}`)!;
      return '{"predictions": [[0.9, 0.1]]}\n'.repeat(staged.trimEnd().split('\n').length);
    };
    return { write: inputs, status: 'Completed', ...(spec.splitType === 'Line' && { body: linesOf }) };
  };
const world = (store: MemoryObjectStore) => ({ store, sagemaker: memorySageMaker({ clock }), clock });

test('a run begins with one bundle until its archive has answered one, and later runs do not', async () => {
  const store = await plannedTable(2_500);
  const plan = planOf(store);
  expect(plan.jobs.map(({ objects, input }) => [objects, input])).toEqual([
    [1_000, bucketLayout.jobInput(PARTS, 1)],
    [1_500, bucketLayout.partInput(PARTS, 2)],
  ]);
  expect(plan.notes.join('\n')).toContain(
    'one bundle of 1,000 inputs from all over the run goes first, since nobody knows yet whether the archive answers ' +
      'bundles: the other 1,500 follow in bundles if it does, else without',
  );
  const { answer, jobs } = await drive(world(store), answersBundles(store));
  expect(answer).toMatchObject({ next: 'fold', inputs: 2_500, missing: 0 });
  expect(jobs.map(({ inputs }) => inputs)).toEqual([['jobs/1/000000'], ['parts/2/000000', 'parts/2/000001']]);
  expect(await factOf(store)).toEqual({ schema: 1, refused: null, run: RUN, at: NOW.toISOString() });

  await planWithTars(store);
  expect(planOf(store)).toMatchObject({ firstBundle: null, bundle: { form: 'records' } });
  expect(planOf(store).jobs.map(({ objects }) => objects)).toEqual([2_500]);
});

test('what fits into one bundle is one job, however little it is', async () => {
  const store = await plannedTable(3);
  expect(planOf(store)).toMatchObject({ pilot: [], firstBundle: { isPilot: false, refused: null } });
  // Its answers count, though one of them is a refusal.
  const { answer, jobs } = await drive(world(store), answersBundles(store, 1));
  expect([answer.next, jobs.length]).toEqual(['fold', 1]);
  expect(Object.values(reconciled(store)).filter((end) => end === 'model-error')).toHaveLength(1);
  expect(await factOf(store)).toMatchObject({ refused: null });
});

test.each<[string, ReturnType<Behavior>, string]>([
  [
    'fails the job',
    { write: [], status: 'Failed', failureReason: 'AlgorithmError: See job logs' },
    'AlgorithmError: See job logs',
  ],
  [
    'answers something else',
    { write: ['jobs/1/000000'], status: 'Completed', body: '{"predictions": [[0.9, 0.1]]}' },
    'it is not what inferdrop’s handler answers',
  ],
  [
    'fails while another job writes an answer beside it',
    { write: ['jobs/1/000000'], status: 'Failed', body: 'forged' },
    'ended Failed',
  ],
  [
    'refuses each input',
    {
      write: ['jobs/1/000000'],
      status: 'Completed',
      body:
        toBundleHead({
          inputs: 1_000,
          ms: 1,
          memoryMB: null,
          isJoint: false,
          failed: Array.from({ length: 1_000 }, (_, at): [number, number] => [at, 500]),
        }) + toErrorLine('0', { status: 500, message: 'no session\nin a bundle' }).repeat(1_000),
    },
    'the model answered 500: no session in a bundle',
  ],
])('if the archive %s, the rest goes without bundles, and one sentence says so', async (_what, end, why) => {
  const store = await plannedTable(2_500);
  const quotedFor = planOf(store).createdAt;
  const { answer, jobs } = await drive(world(store), answersLines(store, end));
  expect(answer).toMatchObject({ next: 'fold', inputs: 2_500, missing: 0 });
  expect(jobs.map(({ inputs }) => inputs)).toEqual([
    ['jobs/1/000000'],
    ['parts/1/000000', 'parts/1/000001', 'parts/1/000002'],
  ]);
  const { notes, bundle, firstBundle, createdAt } = planOf(store);
  expect(notes.filter((note) => note.includes('bundle'))).toEqual([
    expect.stringMatching(/^the first bundle has no usable answer \(.*\): records are sent as lines/),
  ]);
  expect(notes.join('\n')).toContain(why);
  expect([bundle?.form, createdAt]).toEqual(['lines', quotedFor]);
  expect(firstBundle?.refused).toContain(why);
  // It is in the bill.
  expect([1, 2].map((attempt) => record(store, attempt).kind)).toEqual(['first-bundle', 'part']);
  expect(toReportJob(record(store, 1)).objects).toBe(1_000);

  // Not tried again for a month.
  await planWithTars(store);
  expect((await factOf(store))?.refused).toContain(why);
});

test('a later run sends no bundle to an archive that has answered without, until a month is over', async () => {
  const store = await plannedTable(2_500);
  await drive(world(store), answersLines(store));
  await store.delete(bucketLayout.unbundled(PARTS));
  const planAt = async (now: Date) => {
    await planRun({ run: PARTS }, { store, clock: () => now, settings: SETTINGS });
    await planWithTars(store);
    return planOf(store);
  };
  const plan = await planAt(NOW);
  expect([plan.bundle?.form, plan.firstBundle]).toEqual(['lines', null]);
  expect(plan.notes.join('\n')).toMatch(
    new RegExp(`the archive doesn't answer bundles, as ${RUN} found \\(.*ended Failed\\): records`),
  );
  const [key] = await factKeys(store);
  const old = new Date(NOW.getTime() - 31 * DAY_MS).toISOString();
  store.put(key!, JSON.stringify({ ...JSON.parse(store.text(key!)!), at: old }));
  expect(await planAt(NOW)).toMatchObject({ bundle: { form: 'records' }, firstBundle: { refused: null } });
});

test('nothing is kept of an archive that answers neither way, and another way of asking is not known by it', async () => {
  const store = await plannedTable(3);
  const dead: Behavior = () => ({ write: [], status: 'Failed', failureReason: 'AlgorithmError' });
  await expect(drive(world(store), dead)).rejects.toThrow(/none of 3 inputs has a prediction/);
  expect(await factOf(store)).toBeUndefined();

  const other = await plannedTable(3);
  await drive(world(other), answersBundles(other));
  const model = { ...PIPELINE.model, environment: { TS_WORKERS: '9' } };
  other.put(bucketLayout.pipelineConfig('shapes'), JSON.stringify({ ...TABLE, model }));
  await planWithTars(other);
  expect(planOf(other).firstBundle).toMatchObject({ refused: null });
});

test('a fault of SageMaker says nothing about the archive: the bundle is sent once more', async () => {
  const store = await plannedTable(2_500);
  let jobs = 0;
  const { answer } = await drive(world(store), (inputs, spec) =>
    jobs++ === 0
      ? {
          write: [],
          status: 'Failed',
          failureReason: 'InternalServerError: We encountered an internal error',
        }
      : answersBundles(store)(inputs, spec),
  );
  expect([answer, jobs]).toMatchObject([{ missing: 0 }, 3]);
  expect(await factOf(store)).toMatchObject({ refused: null });
});

test('both attempts are given up with a bundle that is not answered after a fault of SageMaker', async () => {
  const store = await plannedTable(2_500);
  let jobs = 0;
  const { answer } = await drive(world(store), (inputs, spec) =>
    jobs++ === 0
      ? {
          write: [],
          status: 'Failed',
          failureReason: 'InternalServerError: We encountered an internal error',
        }
      : answersLines(store)(inputs, spec),
  );
  expect(answer).toMatchObject({ next: 'fold', inputs: 2_500, missing: 0 });
  const kinds = [1, 2, 3].map((attempt) => JSON.parse(store.text(bucketLayout.job(PARTS, attempt))!).kind);
  expect(kinds).toEqual(['first-bundle', 'first-bundle', 'part']);
});

test('a run whose pipeline sends no bundles by then goes on behind the attempts that it has made', async () => {
  const store = await plannedTable(2_500);
  const { answer } = await drive(world(store), (inputs, spec) => {
    const pipeline = { ...TABLE, transform: { ...TABLE.transform, bundle: 'never' } };
    store.put(bucketLayout.pipelineConfig('shapes'), JSON.stringify(pipeline));
    return answersLines(store)(inputs, spec);
  });
  expect(answer).toMatchObject({ next: 'fold', inputs: 2_500, missing: 0 });
  expect(JSON.parse(store.text(bucketLayout.job(PARTS, 1))!).kind).toBe('first-bundle');
});

test('a bundle whose answer is none of the handler ends a run without means by its limit', async () => {
  const store = await plannedTable(2_500);
  const end = {
    write: ['jobs/1/000000'],
    status: 'Completed' as const,
    body: '{"predictions": [[0.9, 0.1]]}',
  };
  const spend = () => {
    const key = bucketLayout.job(PARTS, 1);
    store.put(key, JSON.stringify({ ...JSON.parse(store.text(key)!), stopReason: 'the day has cost $5' }));
  };
  await expect(drive(world(store), answersLines(store, end), spend)).rejects.toMatchObject({
    name: 'NothingPredicted',
    message: expect.stringContaining('the day has cost $5'),
  });
});

test('a step that is repeated gives up the same bundle', async () => {
  const store = await plannedTable(2_500);
  const services = { store, clock, newId: () => 'id', logs: memoryEngineLogs() };
  let again: unknown;
  await drive(
    world(store),
    answersLines(store),
    () => undefined,
    async (step) => {
      const done = await step();
      if ((done as { next?: string }).next === 'plan')
        again = await reconcileOutputs({ run: PARTS, attempt: 1 }, services);
      return done;
    },
  );
  expect(again).toEqual({ next: 'plan', attempt: 2 });
});

test('members of tars are unpacked once their bundle is given up, and a pilot of images is the first bundle', async () => {
  const images = Object.fromEntries(
    Array.from({ length: 300 }, (_, at) => [
      `circle/${String(at).padStart(3, '0')}.png`,
      Buffer.from(`p${at}`),
    ]),
  );
  const tar = await packedTar(images);
  const pipeline = { ...IMAGES, limits: { pilot: 20 } };
  const store = await frozenFiles({ 'a.tar': tar }, { pipeline });
  await planWithTars(store);
  expect(planOf(store)).toMatchObject({ firstBundle: { isPilot: true }, input: { unpacked: null } });
  const { answer, jobs } = await drive(world(store), answersLines(store));
  expect(answer).toMatchObject({ next: 'fold', inputs: 300, missing: 0 });
  expect(jobs.map(({ inputs }) => inputs.length)).toEqual([1, 20, 280]);
  expect(planOf(store).notes.join('\n')).toContain(
    'files are sent one by one: the first bundle has no usable answer (',
  );
  expect(Object.keys(reconciled(store))[0]).toBe('a.tar/circle/000.png');
});
