import { expect, test } from 'vitest';
import { planRun } from '../../../src/app/plan/plan-run.ts';
import { bucketLayout } from '../../../src/run/bucket-layout.ts';
import { aRun } from '../../support/a-run.ts';
import type { Behavior } from '../../support/drive-transform.ts';
import { PARTS, RUN, SETTINGS } from '../../support/drop-fixture.ts';
import { withProblemLines } from '../../support/problem-lines.ts';
import {
  circles,
  drawn,
  driveRounds,
  early,
  images,
  plannedRounds,
  planOf,
  reported,
  type RoundsWorld,
} from '../../support/rounds.ts';

const FILES = images(600, 540);
const AGAIN = aRun(`${RUN}r2`);
const COMPARED = { report: { baseline: 'last-passed' } };
const keeps = (gate: object = {}, more: object = COMPARED) => early({ maxAccuracyDrop: 0.05, ...gate }, more);

/** A model that says circle, but square of the images whose number `isSquare` picks. */
const except =
  (isSquare: (at: number) => boolean): Behavior =>
  (names) => ({
    write: names,
    status: 'Completed',
    body: (name) =>
      isSquare(Number(/(\d+)\.png/.exec(name)![1]))
        ? '{"predictions": [[0.1, 0.9]]}'
        : '{"predictions": [[0.9, 0.1]]}',
  });

/** The first run of the pipeline, which has none to be compared with, and is not a part of its drop. */
async function baseline(pipeline = keeps()) {
  const world = await plannedRounds({ pipeline, files: FILES });
  await driveRounds(world);
  return { world, report: await reported(world) };
}

/** Plans another run of the same files, by the pipeline of today. */
async function again({ store, clock }: RoundsWorld, pipeline: object = keeps()) {
  store.put(bucketLayout.pipelineConfig('shapes'), JSON.stringify(pipeline));
  const frozen = JSON.parse(store.text(bucketLayout.frozen(PARTS))!) as object;
  store.put(bucketLayout.frozen(AGAIN), JSON.stringify({ ...frozen, origin: { mode: 'rerun', of: RUN } }));
  store.put(bucketLayout.manifest(AGAIN), store.text(bucketLayout.manifest(PARTS))!);
  await withProblemLines(planRun({ run: AGAIN }, { store, clock, settings: SETTINGS }));
  return planOf(store, AGAIN);
}

test('the first run of a pipeline predicts all inputs, and the next stops once its loss is known to be small', async () => {
  const { world, report: first } = await baseline();
  expect(first).toMatchObject({ total: 600, sample: null, gate: { verdict: 'passed' } });
  expect(first.notes.join('\n')).toContain('and all inputs are predicted');
  const plan = await again(world);
  expect(plan.report.baseline).toEqual({ asked: 'last-passed', run: RUN });
  // Two of three hundred change sides in either direction.
  const { sent, judged } = await driveRounds(
    world,
    except((at) => at % 300 === 9),
    { run: AGAIN },
  );
  expect(sent.flat().length).toBeLessThan(600);
  expect(judged.at(-1)).toMatchObject({ next: 'report', verdict: 'passed' });
  const report = await reported(world, AGAIN);
  const { accuracy, pValue, inputs } = report.comparison!;
  expect(inputs.paired).toBe(sent.flat().length);
  expect(accuracy!.interval.low).toBeGreaterThan(-0.05);
  // McNemar's test would be read after each round.
  expect(pValue).toBeNull();
  expect(report.gate.verdict).toBe('passed');
  expect(report.gate.explanation).toMatch(
    new RegExp(
      String.raw`after ${sent.flat().length} of 600 inputs: accuracy changed by at least −\d\.\d points against ${RUN} ` +
        String.raw`\(95% confidence\); a loss of 5 points is allowed\.`,
    ),
  );
  const summary = world.store.text(bucketLayout.summary(AGAIN))!;
  expect(summary).toMatch(/between −\d\.\d and \+\d+\.\d points on all inputs of both \(95% confidence\)/);
  expect(world.store.text(bucketLayout.reportHtml(AGAIN))!).not.toContain('McNemar');
});

test('a model that loses much is stopped by its first round', async () => {
  const { world } = await baseline();
  await again(world);
  const { sent, judged } = await driveRounds(
    world,
    except((at) => at % 3 === 0),
    { run: AGAIN },
  );
  expect(sent).toHaveLength(1);
  expect(judged).toMatchObject([{ verdict: 'failed' }]);
  expect((await reported(world, AGAIN)).gate).toMatchObject({
    verdict: 'failed',
    explanation: expect.stringMatching(
      /changed by at most −\d+\.\d points .*; a loss of 5 points is allowed/,
    ),
  });
});

test('with a bound on accuracy both must be decided', async () => {
  const { world } = await baseline();
  // The accuracy of 90 % is clear at once, the loss of 5 % is not.
  await again(world, keeps({ minAccuracy: 0.6, maxAccuracyDrop: 0.05 }));
  const { sent, judged } = await driveRounds(world, circles, { run: AGAIN });
  expect(sent.length).toBeGreaterThan(1);
  expect(judged.at(-1)).toMatchObject({ verdict: 'passed' });
  const { gate } = await reported(world, AGAIN);
  expect(gate.explanation).toMatch(/at least .* of all are right .*; accuracy changed by at least /);
});

test('inputs of which none is shared are not paid for one after the other', async () => {
  const { world } = await baseline();
  const reconciled = world.store.text(bucketLayout.reconciled(PARTS))!;
  // The baseline has seen other content under each name.
  world.store.put(bucketLayout.reconciled(PARTS), reconciled.replaceAll(/"etag":"[^"]*"/g, '"etag":"old"'));
  await again(world);
  const { sent, judged } = await driveRounds(world, circles, { run: AGAIN });
  expect(sent).toHaveLength(1);
  expect(judged).toMatchObject([{ verdict: 'undecided' }]);
  expect((await reported(world, AGAIN)).gate).toMatchObject({
    verdict: 'none',
    explanation: expect.stringContaining('has an answer and a label in both runs'),
  });
});

test('a part of a drop is no baseline of another part', async () => {
  const { world, report } = await baseline(early({ minAccuracy: 0.7 }));
  expect(report.sample!.inputs).toBe(drawn(world.store).length);
  await expect(again(world, keeps({}, { report: { baseline: RUN } }))).rejects.toThrow(
    `report.baseline names a run of ${report.sample!.inputs} of 600 inputs, and gate.decide is "early" with gate.maxAccuracyDrop`,
  );
  // "last-passed" passes over it: no run has all inputs, so this one does.
  const plan = await again(world);
  expect(plan).toMatchObject({ objects: 600, rounds: null, report: { baseline: { run: null } } });
});
