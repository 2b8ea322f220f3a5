import { newestRuns, pipelinesWithRuns } from '../../app/records/run-index.ts';
import { findOpenGeneration } from '../../app/run/list-drop-state.ts';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { nearestName } from '../../pipeline/nearest-name.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { toExecutionName } from '../../run/execution-name.ts';
import { parseRunId } from '../../run/run-id.ts';
import { RUN_KIND_NAMES } from '../../run/run-kind.ts';
import type { Application } from '../application.ts';
import { Refusal } from '../refusal.ts';
import { UsageError } from '../usage-error.ts';
import { toRun } from './run-result.ts';

const MAX_PIPELINES = 20;
const RUNS_OF_EACH = 50;
const MAX_NAMED = 5;

/** Ended runs that a text may mean, the newest first: those with its words among their parts, else the one spelt most like it. */
export async function nearRuns(store: ObjectStore, text: string): Promise<readonly string[]> {
  const lists = await Promise.all(
    RUN_KIND_NAMES.map(async (kind) => {
      const pipelines = (await pipelinesWithRuns(store, kind)).slice(0, MAX_PIPELINES);
      return Promise.all(
        pipelines.map((one) => Array.fromAsync(newestRuns(store, kind, one, RUNS_OF_EACH), ({ run }) => run)),
      );
    }),
  );
  const names = lists.flat(2);
  const words = text
    .split('/')
    .filter((word) => word !== '')
    .map((word) => (/^\d{1,5}$/.test(word) ? word.padStart(6, '0') : word));
  const alike = names.filter((name) => words.every((word) => name.split('/').includes(word)));
  const nearest = nearestName(text, names);
  return alike.length > 0 ? alike.slice(0, MAX_NAMED) : nearest === undefined ? [] : [nearest];
}

/**
 * The name of a run as it was given.
 *
 * @throws {UsageError} for text that is not one, with the runs that it may mean
 */
export async function requireRun(store: ObjectStore, text: string): Promise<string> {
  if (parseRunId(text) !== undefined) return text;
  const near = await nearRuns(store, text);
  const remedy = near.length === 0 ? 'inferdrop runs lists them' : `did you mean ${near.join(' or ')}?`;
  throw new UsageError(
    `RUN must be <pipeline>/<drop>/<generation>, as in cifar10/monday/000001, is ${text}: ${remedy}`,
  );
}

/** Runs that may have been meant by one that does not exist, or where they are listed: the end of a sentence. */
export async function meantRuns(store: ObjectStore, run: string): Promise<string> {
  const near = (await nearRuns(store, run)).filter((other) => other !== run);
  return near.length === 0
    ? ' (inferdrop runs lists those that exist)'
    : `; did you mean ${near.join(' or ')}?`;
}

/**
 * Checks that a run has taken files in.
 *
 * @throws {Refusal} with the runs that may be meant
 */
export async function requireFrozen(store: ObjectStore, run: string): Promise<void> {
  if ((await store.describe(bucketLayout.frozen(toRun(run)))) !== undefined) return;
  throw new Refusal(`${run} does not exist, or waits for its files still${await meantRuns(store, run)}`);
}

/**
 * Checks that a run has begun, or that its drop has files which it will take in.
 *
 * @throws {Refusal} with the runs that may be meant
 */
export async function requireBegun(
  { store, executions }: Pick<Application, 'store' | 'executions'>,
  run: string,
): Promise<void> {
  const parts = toRun(run);
  const machine = executions(parts.kind);
  if ((await machine.describe(machine.arnOf(toExecutionName(parts)))) !== undefined) return;
  const { objects } = await store.listPage(bucketLayout.dropFolder(parts), { limit: 1 });
  if (objects.length > 0 && (await findOpenGeneration(store, parts)) === parts.generation) return;
  throw new Refusal(`${run} does not exist${await meantRuns(store, run)}`);
}
