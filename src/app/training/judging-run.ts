import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { type Candidate, firstOf, type Frozen } from '../../drop/frozen.ts';
import { Condition } from '../../problem/conditions.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { nextRepetition } from '../../run/generation.ts';
import { growingWaitSeconds } from '../../run/growing-wait.ts';
import { parseRunId, type RunParts, toRunId } from '../../run/run-id.ts';
import { quoted } from '../../text/shell-quoted.ts';
import { freezeOnce, frozenJson } from '../records/drop.ts';
import { reportFigures } from '../records/run-index.ts';
import { type Asked, evaluationJson } from '../records/training.ts';
import { existingGenerations } from '../run/repeat-manifest.ts';
import { executionArnOf, type ExecutionsOf, startRun } from '../run/start-run.ts';

/** Services of the judging; a judging run is an execution of `batch-inference`. */
export interface JudgingServices {
  readonly store: ObjectStore;
  readonly executions: ExecutionsOf<'arnOf' | 'describe' | 'start'>;
  readonly clock: () => Date;
}

type Figures = NonNullable<Awaited<ReturnType<ReturnType<typeof reportFigures>['read']>>>;

/** A run that judges a model: under way, or ended with its figures. */
export type Judging =
  | { readonly status: 'waiting'; readonly waitSeconds: number }
  | { readonly status: 'ended'; readonly run: string; readonly isOwn: boolean; readonly figures: Figures };

const MAX_WAIT_SECONDS = 60;

/**
 * Has a model judged by a repetition of the manifest of `judged`: claims the run's name in evaluation.json, freezes and starts it, and
 * checks whether it has ended; repeating this starts nothing twice. `found` is a run that has judged the model before.
 *
 * @throws `EvaluationFailed` if the run ended without predictions
 */
export async function judgeModel(
  training: RunParts,
  {
    place,
    judged,
    candidate,
    found,
  }: {
    readonly place: 'incumbentRun' | 'candidateRun';
    readonly judged: RunParts;
    readonly candidate: Candidate;
    readonly found?: string | undefined;
  },
  services: JudgingServices,
): Promise<Judging> {
  const { store, clock } = services;
  const document = await evaluationJson(training).open(store);
  if (document === undefined)
    throw new Condition(
      'RunFileMissing',
      `${evaluationJson(training).key} was removed while the model was judged`,
    );
  const { value, etag } = document;
  const claim = async (asked: Asked | null): Promise<boolean> =>
    evaluationJson(training).replace(store, { ...value, [place]: asked }, etag);
  const asked = value[place];
  if (asked === null) {
    const run = found ?? (await nextRun(store, judged));
    await claim({ run, at: clock().toISOString(), isOwn: found === undefined });
    return soon();
  }
  const parts = parseRunId(asked.run);
  if (parts === undefined) throw new RangeError(`Cannot judge a model by ${asked.run}: it is not a run`);
  if (asked.isOwn && !(await isFrozenFor(store, parts, { judged, candidate }))) {
    // Another repetition took the claimed name before it was frozen.
    await claim(null);
    return soon();
  }
  return (await endOf(parts, asked, services)) ?? { status: 'waiting', waitSeconds: waitOf(asked, clock()) };
}

function soon(): Judging {
  return { status: 'waiting', waitSeconds: 1 };
}

async function nextRun(store: ObjectStore, judged: RunParts): Promise<string> {
  const existing = await existingGenerations(store, judged);
  return toRunId({ ...judged, generation: nextRepetition('r', judged.generation, existing) });
}

/** Freezes the judging run with the manifest of the judged one; false if the name is another run's. */
async function isFrozenFor(
  store: ObjectStore,
  run: RunParts,
  { judged, candidate }: { readonly judged: RunParts; readonly candidate: Candidate },
): Promise<boolean> {
  const manifest = await frozenJson(judged).require(store);
  const frozen: Frozen = {
    ...manifest,
    coveredSlices: [],
    origin: { mode: 'rerun', of: firstOf(manifest.origin, toRunId(judged)) },
    candidate,
  };
  const stands = await freezeOnce(store, run, frozen);
  return stands.candidate?.training === candidate.training && stands.candidate.sha256 === candidate.sha256;
}

async function endOf(
  run: RunParts,
  { isOwn }: Asked,
  { store, executions }: JudgingServices,
): Promise<Judging | undefined> {
  if ((await store.describe(bucketLayout.ended(run))) === undefined) {
    if ((await executions(run.kind).describe(executionArnOf(executions, run))) === undefined)
      await startRun(executions, run);
    return undefined;
  }
  const name = toRunId(run);
  const figures = await reportFigures(run).read(store);
  if (figures?.status === 'completed' || figures?.status === 'completed-with-errors')
    return { status: 'ended', run: name, isOwn, figures };
  throw new Condition(
    'EvaluationFailed',
    `the run ${name}, which was to judge a model, ended ${figures?.status ?? 'without a report'}: inferdrop report ${quoted(name)}`,
  );
}

function waitOf({ at }: Asked, now: Date): number {
  return growingWaitSeconds((now.getTime() - Date.parse(at)) / 1000, MAX_WAIT_SECONDS);
}
