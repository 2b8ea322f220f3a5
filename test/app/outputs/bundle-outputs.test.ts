import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { imageFacts } from '../../../functions/runtime/image-facts.ts';
import { thumbnail } from '../../../functions/runtime/thumbnail.ts';
import { bundleInputs } from '../../../src/app/inputs/bundle-inputs.ts';
import { openOutputs } from '../../../src/app/outputs/open-outputs.ts';
import { planRun } from '../../../src/app/plan/plan-run.ts';
import { foldPredictions } from '../../../src/app/report/fold-predictions.ts';
import { writeReport } from '../../../src/app/report/write-report.ts';
import { checkTransform } from '../../../src/app/transform/check-transform.ts';
import { reconcileOutputs } from '../../../src/app/transform/reconcile-outputs.ts';
import { startTransform } from '../../../src/app/transform/start-transform.ts';
import type { Frozen } from '../../../src/drop/frozen.ts';
import type { Plan } from '../../../src/plan/plan.ts';
import { Report } from '../../../src/report/report.ts';
import { readRows } from '../../../src/report/table/read-rows.ts';
import { bucketLayout } from '../../../src/run/bucket-layout.ts';
import { parseRunId, type RunParts, toRunId } from '../../../src/run/run-id.ts';
import { sendInBundles } from '../../support/bundled-plan.ts';
import { reconciled } from '../../support/drive-transform.ts';
import { NOW, PARTS, PIPELINE, SETTINGS } from '../../support/drop-fixture.ts';
import { inProcessEngine } from '../../support/in-process-engine.ts';
import { memoryExecutions } from '../../support/memory-executions.ts';
import type { MemoryObjectStore } from '../../support/memory-object-store.ts';
import { noEngine, noLogs } from '../../support/no-engine.ts';
import { random } from '../../support/random.ts';
import { frozenFiles } from '../../support/tar-drop.ts';

type Predict = (name: string, attempt: number) => string | undefined;
const TRUTH = { classes: ['circle', 'square'], truth: { from: 'folder' } };
const clock = () => NOW;

/** A drop of files below folders of their classes. */
const filesOf = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, `content of ${name}`]));

/** Plans a run and takes it to its report, as the state machine does. */
async function toReport(
  store: MemoryObjectStore,
  predict: Predict,
  {
    run = PARTS,
    bundle,
    settings = {},
  }: {
    readonly run?: RunParts;
    readonly bundle?: Omit<NonNullable<Plan['bundle']>, 'form'>;
    readonly settings?: object;
  } = {},
): Promise<Report> {
  const engine = inProcessEngine({ store, clock, predict, pace: 1_000 });
  const services = {
    store,
    engines: { sagemaker: engine, lambda: noEngine },
    logs: { sagemaker: engine.logs, lambda: noLogs },
    settings: SETTINGS,
    executions: () => memoryExecutions({ clock }),
    newId: () => crypto.randomUUID(),
    imageFacts,
    clock: () => new Date(0),
    thumbnail,
  };
  const planned = await planRun({ run }, services);
  if (bundle !== undefined) await sendInBundles(store, run, bundle);
  let attempt = 1;
  for (let isOn = true; isOn;) {
    if (planned.status !== 'predicted') {
      const started = await startTransform({ run, attempt, poll: 0, bundled: 0 }, services);
      if (started.status === 'bundle') {
        for (const item of JSON.parse(store.text(bucketLayout.bundleItems(run, started.list))!))
          await bundleInputs(bundleInputs.input.parse({ Items: [item] }), services);
        await startTransform({ run, attempt, poll: 0, bundled: 0 }, services);
      }
      await checkTransform({ run, attempt, poll: 0 }, services);
    }
    let answer = await reconcileOutputs({ run, attempt }, { ...services, settings });
    while (answer.next === 'reconcile')
      answer = await reconcileOutputs({ run, attempt }, { ...services, settings });
    if (answer.next === 'transform') attempt = answer.attempt;
    else isOn = false;
  }
  for (const shard of JSON.parse(store.text(bucketLayout.shards(run))!))
    await foldPredictions(foldPredictions.input.parse(shard), services);
  await writeReport({ run, startedAt: NOW.toISOString() }, services);
  return Report.parse(JSON.parse(store.text(bucketLayout.reportJson(run))!));
}

async function rowsOf(store: MemoryObjectStore, run: RunParts = PARTS) {
  const rows = [];
  for (const { shard } of JSON.parse(store.text(bucketLayout.shards(run))!) as { shard: number }[])
    for await (const group of readRows((await store.readBytes(bucketLayout.rows(run, shard)))!))
      rows.push(...group);
  return rows;
}

/** The figures of a report that do not depend on how answers are stored. */
const figures = ({ total, records, correct, errors, status, failures }: Report) => ({
  total,
  records,
  correct,
  errors,
  status,
  failures: failures.map(({ key, reason }) => [key, reason]),
});

const again = (store: MemoryObjectStore, generation: string, origin: Frozen['origin']): RunParts => {
  const run = parseRunId(`shapes/monday/${generation}`)!;
  const frozen = JSON.parse(store.text(bucketLayout.frozen(PARTS))!) as Frozen;
  store.put(bucketLayout.manifest(run), store.text(bucketLayout.manifest(PARTS)));
  store.put(bucketLayout.frozen(run), JSON.stringify({ ...frozen, origin }));
  return run;
};

describe('answers in bundles', () => {
  test.each(Array.from({ length: 12 }, (_, at) => at + 1))(
    'give the report that answers one by one give, whatever fails: draw %i',
    async (seed) => {
      const next = random(seed);
      const names = Array.from({ length: 40 + Math.floor(next() * 60) }, (_, at) => {
        const folder = next() < 0.5 ? 'circle' : 'square';
        const end = ['', '-x', '-x-x', '"é', '\\'][Math.floor(next() * 5)];
        return `${folder}/${at}${end}`;
      });
      const fate = new Map(
        names.map((name) => {
          const [whole, first] = [next(), next()];
          return [name, whole < 0.05 ? 'never' : first < 0.1 ? 'second' : 'always'] as const;
        }),
      );
      const predict: Predict = (name, attempt) => {
        const known = fate.get(name.slice('incoming/shapes/monday/'.length))!;
        if (known === 'never' || (known === 'second' && attempt === 1)) return undefined;
        const score = (name.length * 7) % 10;
        return ` {"predictions": [[${score / 10}, ${(10 - score) / 10}]]}\n`;
      };
      const pipeline = {
        ...PIPELINE,
        labels: TRUTH,
        limits: { inputsPerShard: 1 + Math.floor(next() * 30) },
      };
      const [alone, together] = await Promise.all([
        frozenFiles(filesOf(names), { pipeline }),
        frozenFiles(filesOf(names), { pipeline }),
      ]);
      const before = await toReport(alone, predict);
      const settings = {
        chunkEntries: 1 + Math.floor(next() * 20),
        sliceBytes: 1,
        budgetMs: next() < 0.5 ? 0 : 1e6,
      };
      const bundle = { inputs: 1 + Math.floor(next() * 12), bytes: 4_000 };
      const after = await toReport(together, predict, { bundle, settings });
      expect(figures(after)).toEqual(figures(before));
      expect(await rowsOf(together)).toEqual(await rowsOf(alone));
      // The answers are bundles indeed, and each of them is read byte for byte.
      const outputs = openOutputs(together, PARTS, {
        input: { prefix: '' },
        outputs: 'bundles' as const,
        predictions: null,
        continues: null,
      });
      const places = Object.values(reconciled(together)).filter((place) => place?.includes('#') === true);
      expect(places.length).toBe(after.records);
      const place = bucketLayout.predictions(PARTS) + places[0]!;
      expect(Buffer.from((await outputs.read(place))!).toString()).toMatch(/^ \{"predictions": .*\}\n$/);
      expect(together.keys(bucketLayout.predictions(PARTS)).length).toBeLessThan(names.length);
    },
  );

  test('a reason that the model gave for an input is in the report, beside what became of its jobs', async () => {
    const store = await frozenFiles(filesOf(['circle/a', 'circle/b']), {
      pipeline: { ...PIPELINE, labels: TRUTH },
    });
    const predict: Predict = (name) => (name.endsWith('b') ? undefined : '{"predictions": [[0.9, 0.1]]}');
    const report = await toReport(store, predict, { bundle: { inputs: 10, bytes: 1e6 } });
    expect(report.failures).toMatchObject([
      { key: 'incoming/shapes/monday/circle/b', reason: 'model-error' },
    ]);
    expect(report.failures[0]!.detail).toMatch(/^the model answered 500: attempt 2 did not know it \(/);
  });

  test('an input that was refused by itself is not sent again', async () => {
    const names = Array.from({ length: 10 }, (_, at) => `circle/${at}`);
    const store = await frozenFiles(filesOf(names), { pipeline: { ...PIPELINE, labels: TRUTH } });
    const again: string[] = [];
    const predict: Predict = (name, attempt) => {
      if (attempt > 1) again.push(name);
      if (name.endsWith('/3')) return 'refuse';
      return name.endsWith('/7') && attempt === 1 ? undefined : '{"predictions": [[0.9, 0.1]]}';
    };
    const report = await toReport(store, predict, { bundle: { inputs: 4, bytes: 1e6 } });
    expect(again).toEqual(['incoming/shapes/monday/circle/7']);
    expect(report).toMatchObject({ total: 10, records: 9, errors: 1 });
    expect(report.failures[0]!.detail).toMatch(/^the model answered 400: attempt 1 did not know it \(/);
  });

  test('a run whose inputs are all refused by themselves ends with the words of the model, and starts no other job', async () => {
    const store = await frozenFiles(filesOf(['circle/a', 'circle/b']), {
      pipeline: { ...PIPELINE, labels: TRUTH },
    });
    const ended = toReport(store, () => 'refuse', { bundle: { inputs: 4, bytes: 1e6 } });
    await expect(ended).rejects.toThrow(/: the model answered 400: attempt 1 did not know it; transform job/);
  });

  test('an input on which the container dies costs no other: the retry sends each alone', async () => {
    const names = Array.from({ length: 30 }, (_, at) => `circle/${at}`);
    const store = await frozenFiles(filesOf(names), { pipeline: { ...PIPELINE, labels: TRUTH } });
    const predict: Predict = (name) => (name.endsWith('/7') ? 'crash' : '{"predictions": [[0.9, 0.1]]}');
    const report = await toReport(store, predict, { bundle: { inputs: 10, bytes: 1e6 } });
    expect(report).toMatchObject({ total: 30, records: 29, errors: 1 });
    expect(report.failures).toMatchObject([{ key: 'incoming/shapes/monday/circle/7' }]);
    expect(report.jobs.map(({ objects }) => objects)).toEqual([30, 10]);
  });

  test('a bundle that answers other inputs than were sent ends the run before anything is scored', async () => {
    const names = ['circle/a', 'circle/b', 'circle/c'];
    const store = await frozenFiles(filesOf(names), { pipeline: { ...PIPELINE, labels: TRUTH } });
    const predict: Predict = (name) => {
      if (name.endsWith('c'))
        store.put(`${bucketLayout.predictions(PARTS)}parts/1/000009.out`, '{"inputs": 1, "failed": []}\n');
      return '{"predictions": [[0.9, 0.1]]}';
    };
    const ended = toReport(store, predict, { bundle: { inputs: 2, bytes: 1e6 } });
    await expect(ended).rejects.toThrow(/parts\/1\/000009\.out is not the output of a bundle that was sent/);
    expect(store.text(bucketLayout.reconciled(PARTS))).toBeUndefined();
  });

  describe('whose heads say whether they depend on each other', () => {
    const NAMES = ['circle/a', 'circle/b', 'circle/c'];
    const predict: Predict = () => '{"predictions": [[0.9, 0.1]]}';
    const bundle = { inputs: 2, bytes: 1e6 };
    const pipeline = {
      ...PIPELINE,
      labels: TRUTH,
      gate: { minAccuracy: 0.5, minInputs: 1, minLabeled: null, confidence: null },
      limits: { inputsPerShard: 2 },
    };

    /** Has the bundles of a run say something, and scores them again. */
    async function scoredAgain(store: MemoryObjectStore, heads: readonly object[], generation: string) {
      for (const [at, head] of heads.entries()) {
        const key = bucketLayout.bundleOutput(PARTS, 'parts/1', at);
        const [first = '', ...lines] = store.text(key)!.split('\n');
        store.put(key, [JSON.stringify({ ...JSON.parse(first), ...head }), ...lines].join('\n'));
      }
      const origin = { mode: 'rescore', of: toRunId(PARTS), judgedBy: '' } as const;
      return toReport(store, predict, { run: again(store, generation, origin) });
    }

    test.each([
      ['process A has found a difference, and B gives answers together', [{ isJoint: false, differs: true }, { isJoint: true }], 'failed'],
      ['no answer was given together', [{ isJoint: false, differs: true }, { isJoint: false }], 'passed'],
      ['no process has found a difference', [{ isJoint: true }, { isJoint: true }], 'passed'],
    ])('%s: the gate', async (_name, heads, verdict) => {
      const store = await frozenFiles(filesOf(NAMES), { pipeline });
      expect((await toReport(store, predict, { bundle })).gate.verdict).toBe('passed');
      const { gate, notes, isDoubted } = await scoredAgain(store, heads, '000001s1');
      expect([gate.verdict, isDoubted]).toEqual([verdict, verdict === 'failed']);
      expect(gate.explanation.includes('in bundles')).toBe(isDoubted);
      expect(notes.some((note) => note.includes('together with others'))).toBe(isDoubted);
    }); // prettier-ignore

    test('a comparison with such answers is noted, and proves no loss to be small', async () => {
      const store = await frozenFiles(filesOf(NAMES), { pipeline });
      await toReport(store, predict, { bundle });
      await scoredAgain(store, [{ isJoint: true, differs: true }], '000001s1');
      for (const key of store.keys(bucketLayout.predictions(PARTS)))
        store.put(key, store.text(key)!.replace('"differs":true,', ''));
      const gate = { ...pipeline.gate, maxAccuracyDrop: 0.1 };
      const report = { baseline: 'shapes/monday/000001s1' };
      store.put(bucketLayout.pipelineConfig('shapes'), JSON.stringify({ ...pipeline, gate, report }));
      const origin = { mode: 'rerun', of: toRunId(PARTS) } as const;
      const found = await toReport(store, predict, { run: again(store, '000001r1', origin) });
      expect(found).toMatchObject({ isDoubted: false, gate: { verdict: 'none' } });
      expect(found.gate.explanation).toContain('answers of shapes/monday/000001s1 may not be those of each');
      expect(found.notes).toContainEqual(expect.stringContaining('the run that this one is compared with'));
    });
  });

  test('a run that is scored again, and one that is replayed, read them', async () => {
    const names = Array.from({ length: 20 }, (_, at) => `${at % 2 ? 'circle' : 'square'}/${at}`);
    const store = await frozenFiles(filesOf(names), { pipeline: { ...PIPELINE, labels: TRUTH } });
    const predict: Predict = (name) => (name.endsWith('4') ? undefined : '{"predictions": [[0.9, 0.1]]}');
    const first = await toReport(store, predict, { bundle: { inputs: 6, bytes: 1e6 } });
    const rescored = await toReport(store, predict, {
      run: again(store, '000001s1', { mode: 'rescore', of: toRunId(PARTS), judgedBy: '' }),
    });
    expect(figures(rescored)).toEqual(figures(first));
    const replay = again(store, '000001r1', { mode: 'replay', of: toRunId(PARTS) });
    const replayed = await toReport(store, predict, { run: replay });
    expect(figures(replayed)).toEqual(figures(first));
    expect(replayed.comparison?.inputs).toMatchObject({ paired: 20 });
    expect(store.keys(bucketLayout.predictions(replay)).length).toBeLessThan(20);
  });

  describe('of a pipeline with transform.bundle', () => {
    const AUTO = { ...PIPELINE, labels: TRUTH, transform: { bundle: 'auto' } };
    const ALONE = { ...PIPELINE, labels: TRUTH, transform: { bundle: 'never' } };
    const NAMES = Array.from({ length: 300 }, (_, at) => `${at % 3 ? 'circle' : 'square'}/${at}`);
    /** Right for two of three; the second model is wrong about other inputs. */
    const model =
      (seed: number): Predict =>
      (name) =>
        Number(/\d+$/.exec(name)?.[0]) % seed
          ? '{"predictions": [[0.9, 0.1]]}'
          : '{"predictions": [[0.2, 0.8]]}';
    const pipelineOf = (store: MemoryObjectStore, settings: object) =>
      store.put(bucketLayout.pipelineConfig('shapes'), JSON.stringify(settings));

    test('a sample is continued: what it has drawn is asked once, and the report is that of one by one', async () => {
      const reports = await Promise.all(
        [AUTO, ALONE].map(async (pipeline) => {
          const store = await frozenFiles(filesOf(NAMES), {
            pipeline: { ...pipeline, sample: { inputs: 90 } },
          });
          const asked: string[] = [];
          const predict: Predict = (name, attempt) => {
            asked.push(name);
            return model(7)(name, attempt);
          };
          await toReport(store, predict);
          expect(asked).toHaveLength(90);
          const run = again(store, '000001c1', { mode: 'continue', of: toRunId(PARTS) });
          const report = await toReport(store, predict, { run });
          expect([asked.length, new Set(asked).size]).toEqual([300, 300]);
          return { ...figures(report), outputs: store.keys(bucketLayout.predictions(run)).length };
        }),
      );
      expect(reports.map(({ outputs }) => outputs)).toEqual([4, 210]);
      const [bundled, alone] = reports.map((report) => ({ ...report, outputs: 0 }));
      expect(bundled).toEqual(alone);
    });

    test.each([
      ['one by one', ALONE],
      ['in bundles', AUTO],
    ])('flips are found against a baseline whose files went %s', async (_name, before) => {
      const store = await frozenFiles(filesOf(NAMES), { pipeline: before });
      await toReport(store, model(7));
      pipelineOf(store, { ...AUTO, report: { baseline: toRunId(PARTS) } });
      const rerun = again(store, '000001r1', { mode: 'rerun', of: toRunId(PARTS) });
      const { comparison } = await toReport(store, model(11), { run: rerun });
      const right = (seed: number, at: number) => (at % 3 ? at % seed > 0 : at % seed === 0);
      const both = NAMES.map((_, at) => [right(7, at), right(11, at)]);
      expect(comparison).toMatchObject({
        inputs: { paired: 300 },
        lost: both.filter(([a, b]) => a && !b).length,
        gained: both.filter(([a, b]) => !a && b).length,
      });
    });

    test('photographs of mistakes and exemplars, and slices of images, are those of one by one', async () => {
      const folder = new URL('../../../examples/fashion-mnist/images/', import.meta.url);
      const images = (await readdir(folder)).sort().slice(0, 256);
      const files = Object.fromEntries(
        await Promise.all(
          images.map(
            async (name, at) =>
              [`${at % 3 ? 'circle' : 'square'}/${at}.png`, await readFile(new URL(name, folder))] as const,
          ),
        ),
      );
      const report = { slices: [{ from: 'image', property: 'brightness', name: 'light' }] };
      const found = await Promise.all(
        [AUTO, ALONE].map(async (pipeline) => {
          const store = await frozenFiles(files, { pipeline: { ...pipeline, report } });
          const { slices, mistakes } = await toReport(store, (name) => model(7)(name.replace('.png', ''), 1));
          const page = store.text(bucketLayout.reportHtml(PARTS))!;
          return { slices, mistakes, pictures: page.match(/data:image\/[a-z]+;base64,[^"]+/g) };
        }),
      );
      expect(found[0]!.pictures!.length).toBeGreaterThan(20);
      expect(found[0]!.slices!.weakest.length).toBeGreaterThan(0);
      expect(found[0]).toEqual(found[1]);
    });

    test('a file above the payload limit, and an empty one, are told by name and cost no other', async () => {
      const files = { ...filesOf(NAMES), 'circle/large': 'x'.repeat(1_000_000), 'circle/none': '' };
      const pipeline = { ...AUTO, transform: { ...AUTO.transform, maxPayloadInMB: 1 } };
      const store = await frozenFiles(files, { pipeline });
      const report = await toReport(store, model(7));
      expect(report).toMatchObject({ total: 302, records: 300, errors: 2 });
      expect(
        report.failures.map(({ key, reason, detail }) => [key.split('/').at(-1), reason, detail]),
      ).toEqual([
        [
          'large',
          'too-large',
          '1000000 bytes; at most 994880 go into one request in a bundle: "transform": {"bundle": "never"} sends it on its own',
        ],
        ['none', 'empty', 'the object has 0 bytes'],
      ]);
    });

    test('files of equal content, and of equal names in two folders, are answered each', async () => {
      const names = NAMES.map((name, at) =>
        at % 2 ? `circle/same${at}` : `square/same${at - (at % 4)}/${at % 4}`,
      );
      const store = await frozenFiles(Object.fromEntries(names.map((name) => [name, 'the same'])), {
        pipeline: AUTO,
      });
      const report = await toReport(store, () => '{"predictions": [[0.9, 0.1]]}');
      expect(report).toMatchObject({ total: 300, records: 300, errors: 0, correct: 150 });
    });
  });
});
