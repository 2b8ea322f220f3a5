import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { Condition } from '../../problem/conditions.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { RunParts, toRunId } from '../../run/run-id.ts';
import { RUN_KINDS } from '../../run/run-kind.ts';
import { day } from '../../text/dates.ts';
import { frozenJson } from '../records/drop.ts';
import { readReconciled } from '../records/reconciled.ts';

/**
 * The run that made the predictions of a run.
 *
 * @throws `RunUnknown`, `StillRunning`, `PredictionsExpired`, `NothingToRescore` if they cannot be scored again
 */
export async function requireRescorable(store: ObjectStore, asked: RunParts): Promise<RunParts> {
  const name = toRunId(asked);
  if (!RUN_KINDS[asked.kind].isJudged)
    throw nothingToRescore(
      `${name} is a training, which has no predictions: name a run that judged its model`,
    );
  const [frozen, ended] = await Promise.all([
    frozenJson(asked).read(store),
    store.describe(bucketLayout.ended(asked)),
  ]);
  if (frozen === undefined && ended === undefined)
    throw new Condition(
      'RunUnknown',
      `${name} has not frozen its files: inferdrop runs lists the runs there are`,
    );
  if (ended === undefined)
    throw new Condition(
      'StillRunning',
      `${name} is still running: inferdrop watch ${name} waits for its end`,
    );
  if (frozen?.origin.mode === 'rescore') return requireRescorable(store, RunParts.parse(frozen.origin.of));
  const expired = (): Condition =>
    new Condition(
      'PredictionsExpired',
      `the predictions of ${name}, which ended on ${day(ended.lastModified)}, have expired (stack parameter ` +
        'RunsRetentionDays): drop the files again',
    );
  const none = (): Condition =>
    nothingToRescore(`${name} has no predictions: inferdrop rerun ${name} predicts its inputs`);
  if (frozen === undefined || frozen.objects === 0) throw none();
  const [plan, figures] = await Promise.all([
    store.describe(bucketLayout.plan(asked)),
    store.describe(bucketLayout.reportJson(asked)),
  ]);
  // A refused run leaves a report without a plan; an expired one has neither.
  if (plan === undefined && figures === undefined) throw expired();
  if (plan === undefined) throw none();
  if (!(await hasPredictions(store, asked))) throw (await hadPredictions(store, asked)) ? expired() : none();
  return asked;
}

async function hasPredictions(store: ObjectStore, run: RunParts): Promise<boolean> {
  const { objects } = await store.listPage(bucketLayout.predictions(run), { limit: 1 });
  return objects.length > 0;
}

/** Whether a run has listed an answer that is not there any more. */
async function hadPredictions(store: ObjectStore, run: RunParts): Promise<boolean> {
  if ((await store.describe(bucketLayout.reconciled(run))) === undefined) return false;
  for await (const { output } of readReconciled(store, run)) if (output !== undefined) return true;
  return false;
}

function nothingToRescore(message: string): Condition {
  return new Condition('NothingToRescore', message);
}
