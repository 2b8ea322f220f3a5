import { expect, test } from 'vitest';
import { planRun } from '../../../src/app/plan/plan-run.ts';
import { lastPassed } from '../../../src/app/plan/read/find-baseline.ts';
import { continueRun } from '../../../src/app/run/continue-run.ts';
import { replay } from '../../../src/app/run/replay.ts';
import { rescore } from '../../../src/app/run/rescore.ts';
import { judgeRound } from '../../../src/app/transform/judge-round.ts';
import { reconcileOutputs } from '../../../src/app/transform/reconcile-outputs.ts';
import type { ObjectStore } from '../../../src/aws/s3/object-store.ts';
import { bucketLayout } from '../../../src/run/bucket-layout.ts';
import { dollars } from '../../../src/text/figures.ts';
import { aRun } from '../../support/a-run.ts';
import { type Behavior, drive, record } from '../../support/drive-transform.ts';
import { PARTS, PIPELINE, RUN, SETTINGS } from '../../support/drop-fixture.ts';
import { memoryEngineLogs } from '../../support/memory-engine-logs.ts';
import { memoryExecutions } from '../../support/memory-executions.ts';
import type { MemoryObjectStore } from '../../support/memory-object-store.ts';
import { withProblemLines } from '../../support/problem-lines.ts';
import {
  circles,
  drawn,
  driveRounds,
  early,
  fold,
  images,
  plannedRounds,
  planOf,
  reported,
  type RoundsWorld,
} from '../../support/rounds.ts';
import { frozenFiles, planOfBundles } from '../../support/tar-drop.ts';

/** 570 of 600 images show circles, and the model says circle of each: it is right in 95 %. */
const FILES = images(600, 570);
const NAMES = Object.keys(FILES).sort();
const SITES = { report: { slices: [{ from: 'folder', name: 'site', level: 1 }] } };
const DEPLOYS = { endpoint: { deploy: 'when-gate-passes', ttlHours: 1 } };

const counts = (sent: readonly string[][]) => sent.map(({ length }) => length);
const summaryOf = (store: MemoryObjectStore) => store.text(bucketLayout.summary(PARTS))!;

test('a clear gate is decided by the first round: nothing else is sent, and every place says of how many', async () => {
  const world = await plannedRounds({ pipeline: early({ minAccuracy: 0.7 }, DEPLOYS), files: FILES });
  const { store } = world;
  const { notes, objects, cost, endpoint } = planOf(store);
  expect(notes[0]).toBe(
    `gate.decide is early: a first round of ${objects} of 600 inputs, drawn at random, is quoted at ${dollars(cost.quoteUsd)}. ` +
      'Further rounds follow until the gate is decided, which may take all 600: at $0.07 at most',
  );
  // Unlike a sample, the run may deploy what it proves.
  expect(endpoint!.deploy).toBe('when-gate-passes');
  const { sent, judged } = await driveRounds(world);
  expect(sent).toEqual([drawn(store)]);
  expect(objects).toBe(sent[0]!.length);
  // As many as are quoted at the time of the start of a job: 70, and by chance some more.
  expect(Math.abs(objects - 70)).toBeLessThan(30);
  expect(judged).toEqual([{ next: 'report', verdict: 'passed', inputs: objects, of: 600 }]);

  const report = await reported(world);
  const right = sent[0]!.filter((name) => name.startsWith('circle')).length;
  expect(report).toMatchObject({
    total: objects,
    correct: right,
    errors: 0,
    status: 'completed',
    sample: { inputs: objects, of: 600, by: 'none', early: { confidence: 0.95 } },
    gate: { verdict: 'passed' },
  });
  const { low, high } = report.quality!.accuracyInterval;
  expect(low).toBeGreaterThan(0.73);
  expect(low).toBeLessThan(0.95);
  expect(high).toBeGreaterThan(0.95);
  expect(report.gate.explanation).toMatch(
    new RegExp(
      `^The gate passed after ${objects} of 600 inputs: at least \\d\\d\\.\\d+% of all are right ` +
        String.raw`\(95% confidence\); 73\.\d+% are needed to prove the minimum of 70%\.$`,
    ),
  );
  expect(summaryOf(store)).toContain(
    `${right} of ${objects} drawn right; the accuracy of all 600 is between`,
  );
  expect(summaryOf(store)).toContain(
    `Decided: after ${objects} of 600 inputs (stopped when the evidence sufficed, so that the share drawn leans to ` +
      `the verdict; the other ${600 - objects} were not predicted`,
  );
  expect(report.quality!.topK).toEqual([]);
  const page = store.text(bucketLayout.reportHtml(PARTS))!;
  expect(page).toContain(`after ${objects} of 600 inputs`);
  expect(page).toContain('the accuracy of all 600 is between');
  const [entry] = store.keys(bucketLayout.index('inference', 'shapes'));
  expect(JSON.parse(store.text(entry!)!)).toMatchObject({ total: objects, sampleOf: 600, gate: 'passed' });
  expect(store.text(bucketLayout.errors(PARTS))?.trim().split('\n')).toHaveLength(1);
  // Pipeline.json alone has asked for it: it may be the baseline of the next run.
  expect(await lastPassed(store, 'shapes')).toBe(RUN);
});

test('a gate near the truth takes rounds that grow, each input in one of them', async () => {
  const world = await plannedRounds({ pipeline: early({ minAccuracy: 0.88 }), files: FILES });
  const first = planOf(world.store);
  const { sent, judged } = await driveRounds(world);
  expect(sent.length).toBeGreaterThan(1);
  expect(judged.map(({ next }) => next)).toEqual([...sent.slice(1).map(() => 'transform'), 'report']);
  expect(judged.at(-1)).toMatchObject({ verdict: 'passed' });
  const all = sent.flat();
  expect(new Set(all).size).toBe(all.length);
  expect([...all].sort()).toEqual(drawn(world.store));
  expect(all.length).toBeLessThan(600);
  const plan = planOf(world.store);
  expect(plan).toMatchObject({
    objects: all.length,
    sample: { inputs: all.length, of: 600 },
    rounds: { attempts: sent.map((_, at) => at + 1), isOpen: true, stopped: null },
  });
  expect(plan.jobs.map(({ round, objects }) => [round, objects])).toEqual(
    counts(sent).map((objects, at) => [at + 1, objects]),
  );
  // The quote follows the rounds, and what is left costs less.
  expect(plan.cost.quoteUsd).toBeGreaterThan(first.cost.quoteUsd!);
  expect(plan.sample!.restQuoteUsd).toBeLessThan(first.sample!.restQuoteUsd!);
  const report = await reported(world);
  expect(report).toMatchObject({
    total: all.length,
    gate: { verdict: 'passed' },
    jobs: { length: sent.length },
  });
});

test('a model that is not good enough fails early, and nothing is deployed', async () => {
  const files = images(600, 480);
  const world = await plannedRounds({ pipeline: early({ minAccuracy: 0.95 }), files });
  const { sent, judged } = await driveRounds(world);
  expect(sent).toHaveLength(1);
  expect(judged).toMatchObject([{ verdict: 'failed' }]);
  const report = await reported(world);
  // 580 right answers of 600 prove 95 %. How many of the 600 have a label isn't known yet: of fewer, up to one answer less would do.
  expect(report.gate).toMatchObject({
    verdict: 'failed',
    explanation: expect.stringMatching(
      /at most \d\d\.\d+% of all are right .*; 96\.42% would be needed to prove the minimum of 95%/,
    ),
  });
});

test('a model that answers only what it gets right fails early: a labeled input without an answer is wrong', async () => {
  const files = images(600, 372);
  const world = await plannedRounds({ pipeline: early({ minAccuracy: 0.9, maxErrorRate: 0.05 }), files });
  const { sent, judged } = await driveRounds(world, (names, spec) => ({
    ...circles(names, spec),
    write: names.filter((name) => name.includes('circle/')),
  }));
  expect(new Set(sent.flat()).size).toBeLessThan(300);
  expect(judged).toMatchObject([{ verdict: 'failed' }]);
  const { gate, quality } = await reported(world);
  expect(quality!.correct).toBe(quality!.labeled);
  expect(gate).toMatchObject({ verdict: 'failed' });
  expect(gate.explanation).toMatch(
    /at most \d+\.?\d*% of all are right .*; at most \d+\.?\d*% of all have an answer/,
  );
});

test('answers that depend on each other decide no round: the run ends, and its gate fails', async () => {
  const world = await plannedRounds({ pipeline: early({ minAccuracy: 0.7 }), files: FILES });
  const { store } = world;
  const { attempt } = await drive({ ...world, run: PARTS, from: { attempt: 1 } }, circles);
  await fold(world);
  const tally = bucketLayout.tally(PARTS, 0);
  const dependence = { isJoint: true, differs: true };
  store.put(tally, JSON.stringify({ ...JSON.parse(store.text(tally)!), dependence }));
  expect(await judgeRound({ run: PARTS, attempt }, world)).toMatchObject({
    next: 'report',
    verdict: 'failed',
  });
  expect((await reported(world)).gate.verdict).toBe('failed');
});

test('a gate that only all inputs can decide gets all, and is judged as ever', async () => {
  const world = await plannedRounds({ pipeline: early({ minAccuracy: 0.932 }), files: FILES });
  const { sent, judged } = await driveRounds(world);
  expect(sent.flat().sort()).toEqual(NAMES);
  expect(judged.every(({ next }) => next === 'transform')).toBe(true);
  // No round is smaller than the first: the last one takes what would be left.
  expect(Math.min(...counts(sent))).toBeGreaterThanOrEqual(60);
  expect(planOf(world.store).sample).toBeNull();
  const report = await reported(world);
  expect(report).toMatchObject({
    total: 600,
    correct: 570,
    sample: null,
    gate: { verdict: 'passed' },
  });
  expect(report.gate.explanation).toMatch(
    /^The gate passed: 570 of 600 inputs are right, which proves an accuracy of at least 93\.2/,
  );
});

test('a class that the model never gets right ends the run early, and so does one that the drop has not', async () => {
  // The model says circle of every image.
  const files = images(600, 400);
  const judgedBy = async (gate: object) => {
    const world = await plannedRounds({ pipeline: early(gate, SITES), files });
    const { sent, judged } = await driveRounds(world);
    const { gate: verdict } = await reported(world);
    return { sent: sent.flat().length, judged, ...verdict };
  };
  const weak = await judgedBy({ minRecall: 0.8 });
  expect(weak).toMatchObject({ verdict: 'failed', judged: [{ verdict: 'failed' }] });
  expect(weak.explanation).toMatch(/at most \d+\.?\d*% of all of square are right/);
  const strong = await judgedBy({
    minRecall: { circle: 0.7 },
    slices: { 'site=circle': { minAccuracy: 0.5 } },
  });
  expect(strong).toMatchObject({ verdict: 'passed' });
  expect(strong.explanation).toMatch(
    /at least \d+\.?\d*% of all of circle are right .*; at least \d+\.?\d*% of all of site=circle are right/,
  );
  expect(strong.sent).toBeLessThan(400);
  const absent = await judgedBy({ slices: { 'site=star': { minAccuracy: 0.7 } } });
  expect(absent).toMatchObject({ verdict: 'none' });
  const few = await judgedBy({ minRecall: { circle: 0.7, square: { minRecall: 0.1, minInputs: 250 } } });
  expect(few).toMatchObject({ verdict: 'none', judged: [{ verdict: 'failed' }] });
  expect(few.explanation).toContain(
    'square are right (95% confidence); its labeled inputs are too few to prove',
  );
});

test('a drop too small for two rounds is sent whole', async () => {
  const files = images(60, 57);
  const world = await plannedRounds({ pipeline: early({ minAccuracy: 0.7 }), files });
  expect(planOf(world.store)).toMatchObject({ rounds: null, sample: null, objects: 60 });
  const { sent, judged } = await driveRounds(world);
  expect([counts(sent), judged]).toEqual([[60], []]);
});

test('what is missing of a round is sent once more, in its own round, and counts for neither side', async () => {
  const world = await plannedRounds({ pipeline: early({ minAccuracy: 0.88 }), files: FILES });
  const bad = new Set(drawn(world.store).slice(0, 3));
  const behave: Behavior = (names, spec) => ({
    ...circles(names, spec),
    write: names.filter((name) => !bad.has(name)),
  });
  const { sent } = await driveRounds(world, behave);
  const [first, retry, ...others] = sent;
  expect(retry!.sort()).toEqual([...bad].sort());
  expect(first).toEqual(expect.arrayContaining([...bad]));
  // Later rounds do not send them a third time.
  expect(others.length).toBeGreaterThan(0);
  expect(others.flat().filter((name) => bad.has(name))).toEqual([]);
  const report = await reported(world);
  expect(report).toMatchObject({
    errors: 3,
    errorsByReason: { 'model-error': 3 },
    gate: { verdict: 'passed' },
  });
});

test('a job of a later round that leaves nothing is halved, whatever lies between its inputs', async () => {
  const world = await plannedRounds({ pipeline: early({ minAccuracy: 0.88 }), files: FILES });
  let jobs = 0;
  const behave: Behavior = (names, spec) =>
    ++jobs === 2 ? { write: [], status: 'Failed', failureReason: 'out of memory' } : circles(names, spec);
  const { sent } = await driveRounds(world, behave);
  const kinds = sent.map((_, at) => record(world.store, at + 1).kind);
  expect(kinds.slice(0, 3)).toEqual(['part', 'part', 'first-half']);
  // The first half succeeds, and what is missing follows in a retry.
  expect(kinds[3]).toBe('retry');
  expect([...sent[2]!, ...sent[3]!].sort()).toEqual([...sent[1]!].sort());
  expect(await reported(world)).toMatchObject({ errors: 0 });
});

test('every step may be repeated, as after a crash: nothing is sent twice', async () => {
  const fixture = { pipeline: early({ minAccuracy: 0.88 }), files: FILES };
  const once = await driveRounds(await plannedRounds(fixture));
  const world = await plannedRounds(fixture);
  const twice = await driveRounds(world, circles, {
    async step(step) {
      await step();
      return step();
    },
  });
  expect(twice).toEqual(once);
  expect(world.sagemaker.jobs.size).toBe(once.sent.length);
});

/** A store whose writes fail from the `nth` on, as if the function had died there. */
function dying(store: MemoryObjectStore, nth: number): ObjectStore {
  let writes = 0;
  const die = () => {
    writes += 1;
    if (writes >= nth) throw new Error('died');
  };
  return {
    ...store,
    write: (...args) => (die(), store.write(...args)),
    writeStream: (...args) => (die(), store.writeStream(...args)),
  };
}

test.each([1, 2, 3, 4])('a death of JudgeRound before its write %i changes nothing', async (nth) => {
  const fixture = { pipeline: early({ minAccuracy: 0.88 }), files: FILES };
  const once = await driveRounds(await plannedRounds(fixture));
  const world = await plannedRounds(fixture);
  const { attempt } = await drive(world, circles);
  await fold(world);
  const before = planOf(world.store);
  const input = { run: PARTS, attempt };
  await expect(judgeRound(input, { ...world, store: dying(world.store, nth) })).rejects.toThrow('died');
  // The list of inputs, those of the job, its record, and last the plan: until then there is no further round.
  expect(planOf(world.store)).toEqual(before);
  expect(await judgeRound(input, world)).toEqual(once.judged[0]);
  const { jobs } = await drive({ ...world, from: { attempt: 2 } }, circles);
  expect(jobs.map(({ inputs }) => inputs)).toEqual([once.sent[1]]);
});

test('a limit of the run ends the rounds without a verdict', async () => {
  const limits = { maxRuntimeMinutes: 60 };
  const pipeline = early({ minAccuracy: 0.93 }, { limits, ...DEPLOYS });
  const world = await plannedRounds({ pipeline, files: FILES });
  const behave: Behavior = (names, spec) => {
    world.later(25);
    return circles(names, spec);
  };
  const { sent, judged } = await driveRounds(world, behave);
  expect(sent).toHaveLength(3);
  expect(judged.at(-1)).toMatchObject({ next: 'report', verdict: 'undecided' });
  const report = await reported(world);
  expect(report.gate.verdict).toBe('none');
  expect(report.gate.explanation).toMatch(
    /^The gate has no verdict after \d+ of 600 inputs: between .* of all are right .*; limits\.maxRuntimeMinutes is 60, the run has taken 75\.$/,
  );
  expect(summaryOf(world.store)).toContain(`Undecided: after ${sent.flat().length} of 600 inputs`);
});

test('a round that is cut short decides nothing: the inputs that were sent of it are no random part', async () => {
  const world = await plannedRounds({ pipeline: early({ minAccuracy: 0.7 }), files: FILES });
  const { attempt } = await drive(world, circles);
  const stopped = { ...record(world.store, attempt), stopReason: 'limits.maxCostUsd is 1' };
  world.store.put(bucketLayout.job(PARTS, attempt), JSON.stringify(stopped));
  await reconcileOutputs({ run: PARTS, attempt }, { ...world, newId: () => 'id', logs: memoryEngineLogs() });
  await fold(world);
  expect(await judgeRound({ run: PARTS, attempt }, world)).toMatchObject({ verdict: 'undecided' });
  expect(planOf(world.store).rounds!.stopped).toEqual({ reason: 'limits.maxCostUsd is 1', upTo: 0 });
  const report = await reported(world);
  expect(report.gate.verdict).toBe('none');
  expect(report.quality!.accuracyInterval).toEqual({ low: 0, high: 1 });
});

test('a round for which no hardware came free is left out, and the run ends', async () => {
  const world = await plannedRounds({ pipeline: early({ minAccuracy: 0.88 }), files: FILES });
  const { attempt } = await drive(world, circles);
  await fold(world);
  expect(await judgeRound({ run: PARTS, attempt }, world)).toMatchObject({ next: 'transform', attempt: 2 });
  // StartTransform gave up waiting, and says so in the record of the attempt before.
  const waited = { ...record(world.store, attempt), stopReason: 'no instance came free' };
  world.store.put(bucketLayout.job(PARTS, attempt), JSON.stringify(waited));
  await reconcileOutputs({ run: PARTS, attempt }, { ...world, newId: () => 'id', logs: memoryEngineLogs() });
  await fold(world);
  expect(await judgeRound({ run: PARTS, attempt }, world)).toMatchObject({ verdict: 'undecided' });
  expect((await reported(world)).errorsByReason).toEqual({ 'not-attempted': expect.any(Number) });
});

test('too few labeled inputs give no verdict, however clear they are', async () => {
  const labels = { classes: ['circle', 'square'], truth: { from: 'key', pattern: '(circle)/' } };
  const files = images(600, 60);
  const world = await plannedRounds({ pipeline: early({ minAccuracy: 0.3 }, { labels }), files });
  const { judged } = await driveRounds(world);
  // Every tenth input has a label: the first 70 inputs have some 7, and 30 are asked for.
  expect(judged[0]).toMatchObject({ next: 'transform' });
  expect(judged.at(-1)).toMatchObject({ verdict: 'passed' });
  expect((await reported(world)).quality!.labeled).toBeGreaterThanOrEqual(30);
});

/** Freezes a repetition of the run's manifest as its command does, and plans it. */
async function repeated({ store, clock }: RoundsWorld, name: string) {
  const run = aRun(name);
  store.put(bucketLayout.manifest(run), store.text(bucketLayout.manifest(PARTS))!);
  const planned = await withProblemLines(planRun({ run }, { store, clock, settings: SETTINGS }));
  return { run, planned };
}
const start = (store: MemoryObjectStore) => ({ store, executions: () => memoryExecutions() });

test('continue predicts the rest, and its report is of all', async () => {
  const world = await plannedRounds({ pipeline: early({ minAccuracy: 0.88 }), files: FILES });
  const { sent } = await driveRounds(world);
  await reported(world);
  const { run: name } = await continueRun({ run: PARTS }, start(world.store));
  const { run } = await repeated(world, name);
  expect(planOf(world.store, run)).toMatchObject({ rounds: null, sample: null, continues: RUN });
  const rest = await driveRounds(world, circles, { run });
  expect(rest.judged).toEqual([]);
  expect([...sent.flat(), ...rest.sent.flat()].sort()).toEqual(NAMES);
  const report = await reported(world, run);
  expect(report).toMatchObject({ total: 600, correct: 570, sample: null, gate: { verdict: 'passed' } });
});

test('a rescore judges the same rounds by the gate of today, and sends none', async () => {
  const world = await plannedRounds({ pipeline: early({ minAccuracy: 0.7 }, DEPLOYS), files: FILES });
  const { store, clock } = world;
  await driveRounds(world);
  const before = await reported(world);
  store.put(
    bucketLayout.pipelineConfig('shapes'),
    JSON.stringify(early({ minAccuracy: 0.93, decide: 'all' }, DEPLOYS)),
  );
  const { run: name } = await rescore({ run: PARTS }, start(store));
  const { run, planned } = await repeated(world, name);
  // Only a fresh run is asked to prove what it deploys.
  expect(planned).toMatchObject({ status: 'predicted', deploy: 'never' });
  expect(
    await reconcileOutputs(
      { run, attempt: 1 },
      { store, clock, newId: () => 'id', logs: memoryEngineLogs() },
    ),
  ).toMatchObject({
    next: 'fold',
    isRound: false,
  });
  await fold(world, run);
  const report = await reported(world, run);
  expect(report.quality!.accuracyInterval).toEqual(before.quality!.accuracyInterval);
  expect(report.gate).toMatchObject({
    verdict: 'none',
    explanation: expect.stringContaining('The gate has no verdict after'),
  });
  expect(report.sample!.early).toEqual({ confidence: 0.95 });
});

test('a replay sends the same rounds, one after the other, and judges once', async () => {
  const world = await plannedRounds({ pipeline: early({ minAccuracy: 0.88 }), files: FILES });
  const { sent } = await driveRounds(world);
  const before = await reported(world);
  const { run: name } = await replay({ run: PARTS }, start(world.store));
  const { run } = await repeated(world, name);
  const again = await driveRounds(world, circles, { run });
  expect(again).toEqual({ sent, judged: [] });
  const report = await reported(world, run);
  expect(report.quality!.accuracyInterval).toEqual(before.quality!.accuracyInterval);
  expect(report.comparison!.inputs.paired).toBe(before.total);
});

test('a pilot is a part of the first round', async () => {
  const pipeline = early({ minAccuracy: 0.7 }, { limits: { pilot: 5 } });
  const world = await plannedRounds({ pipeline, files: FILES });
  const { sent, judged } = await driveRounds(world);
  expect(counts(sent)).toEqual([5, drawn(world.store).length - 5]);
  expect(judged).toMatchObject([{ verdict: 'passed' }]);
});

test('files that no request can take are drawn with the others, and are no reason for a further job', async () => {
  const files = Object.fromEntries(NAMES.map((name, at) => [name, at % 10 === 0 ? 0 : FILES[name]!]));
  const world = await plannedRounds({ pipeline: early({ minAccuracy: 0.88 }), files });
  const { sent } = await driveRounds(world);
  const plan = planOf(world.store);
  expect(plan.objects).toBe(sent.flat().length);
  expect(plan.objects + plan.excluded.empty).toBe(plan.sample!.inputs);
  expect(await reported(world)).toMatchObject({ total: plan.sample!.inputs, errors: plan.excluded.empty });
});

test('further rounds of a table have the payload of its bundles, as the first one has', async () => {
  const pipeline = {
    ...PIPELINE,
    columns: { features: ['x', 'y'] },
    transform: { contentType: 'text/csv' },
    labels: { ...PIPELINE.labels, truth: { from: 'column', column: 'shape' } },
    gate: { decide: 'early', minAccuracy: 0.7, confidence: 0.95 },
  };
  const rows = Array.from({ length: 20_000 }, (_, at) => `${at}${'0'.repeat(100)},1,circle\n`);
  const store = await frozenFiles({ 'a.csv': `x,y,shape\n${rows.join('')}` }, { pipeline });
  await planOfBundles(store);
  const { rounds, jobs, bundle } = planOf(store);
  expect(bundle?.form).toBe('records');
  expect(rounds?.engine).toEqual(jobs[0]?.engine);
});
