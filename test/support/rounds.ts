import { imageFacts } from '../../functions/runtime/image-facts.ts';
import { thumbnail } from '../../functions/runtime/thumbnail.ts';
import { planRun } from '../../src/app/plan/plan-run.ts';
import { markEnded } from '../../src/app/records/run.ts';
import { foldPredictions } from '../../src/app/report/fold-predictions.ts';
import { writeReport } from '../../src/app/report/write-report.ts';
import { judgeRound } from '../../src/app/transform/judge-round.ts';
import { Plan } from '../../src/plan/plan.ts';
import { Report } from '../../src/report/report.ts';
import { bucketLayout } from '../../src/run/bucket-layout.ts';
import { type Behavior, drive, PREFIX, prepare } from './drive-transform.ts';
import { type DropFixture, frozenDrop, NOW, PARTS, PIPELINE, SETTINGS } from './drop-fixture.ts';
import { memoryEngineLogs } from './memory-engine-logs.ts';
import type { MemoryObjectStore } from './memory-object-store.ts';
import { memorySageMaker } from './memory-sagemaker.ts';
import { withProblemLines } from './problem-lines.ts';

/** Bytes of an image: a first round, whose work takes as long as the start of its job, has 73 of them. */
const IMAGE_BYTES = 40_000_000;

/** `count` images, `circles` of which show circles, mixed by their names. */
export const images = (count: number, circles: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, at) => {
      const isCircle = Math.floor(((at + 1) * circles) / count) > Math.floor((at * circles) / count);
      return [`${isCircle ? 'circle' : 'square'}/${String(at).padStart(4, '0')}.png`, IMAGE_BYTES] as const;
    }),
  );

/** A pipeline whose gate is decided early; its labels are the folders. */
export const early = (gate: object, more: object = {}) => ({
  ...PIPELINE,
  labels: { ...PIPELINE.labels, truth: { from: 'folder' } },
  transform: { maxPayloadInMB: 50 },
  gate: { decide: 'early', minInputs: 30, minLabeled: null, confidence: 0.95, ...gate },
  ...more,
});

/** A model that says circle of every image. */
export const circles: Behavior = (names) => ({
  write: names,
  status: 'Completed',
  body: '{"predictions": [[0.9, 0.1]]}',
});

export const planOf = (store: MemoryObjectStore, run = PARTS) =>
  Plan.parse(JSON.parse(store.text(bucketLayout.plan(run))!));

/** Names below the drop that the run predicts, as they are listed. */
export const drawn = (store: MemoryObjectStore, run = PARTS) =>
  store
    .text(bucketLayout.sample(run))!
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { key: string }).key.slice(PREFIX.length));

type Step = <T>(step: () => Promise<T>) => Promise<T>;
const once: Step = (step) => step();

/** Services of a run in memory, planned, whose clock tests move. */
export async function plannedRounds(fixture: DropFixture) {
  const store = await frozenDrop(fixture);
  const time = { now: NOW };
  const clock = () => time.now;
  const sagemaker = memorySageMaker({ clock });
  await withProblemLines(planRun({ run: PARTS }, { store, clock, settings: SETTINGS }));
  await prepare({ store, sagemaker, clock });
  const later = (minutes: number) => (time.now = new Date(time.now.getTime() + minutes * 60_000));
  return { store, sagemaker, clock, later };
}

export type RoundsWorld = Awaited<ReturnType<typeof plannedRounds>>;

/** Folds what ReconcileOutputs has cut. */
export async function fold({ store }: RoundsWorld, run = PARTS) {
  const shards = JSON.parse(store.text(bucketLayout.shards(run))!) as object[];
  for (const shard of shards)
    await foldPredictions({ ...shard, run } as never, { store, imageFacts, clock: () => new Date(0) });
}

/** Drives a run round by round, as the state machine does, until it is judged. */
export async function driveRounds(
  world: RoundsWorld,
  behave: Behavior = circles,
  { run = PARTS, step = once }: { readonly run?: typeof PARTS; readonly step?: Step } = {},
) {
  const sent: string[][] = [];
  const judged: Awaited<ReturnType<typeof judgeRound>>[] = [];
  let from = { attempt: 1 };
  for (;;) {
    const { answer, jobs, attempt } = await drive({ ...world, run, from }, behave, undefined, step);
    sent.push(...jobs.map(({ inputs }) => inputs));
    await fold(world, run);
    if (answer.next !== 'fold' || !answer.isRound) return { sent, judged };
    const verdict = await step(() => judgeRound({ run, attempt }, world));
    judged.push(verdict);
    if (verdict.next === 'report') return { sent, judged };
    from = { attempt: verdict.attempt };
  }
}

/** Writes the report of a run and marks its end. */
export async function reported({ store, clock }: RoundsWorld, run = PARTS) {
  await writeReport(
    { run, startedAt: NOW.toISOString() },
    { store, clock, logs: memoryEngineLogs(), thumbnail },
  );
  await markEnded(store, run, 'completed', NOW);
  return Report.parse(JSON.parse(store.text(bucketLayout.reportJson(run))!));
}
