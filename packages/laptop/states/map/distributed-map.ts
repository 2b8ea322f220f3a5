import type { Permission } from '../../kernel/permission.ts';
import type { MapState } from '../definition/machine.ts';
import { concurrently, isAborted } from '../engine/concurrently.ts';
import type { Engine } from '../engine/engine.ts';
import type { Visit } from '../engine/thread.ts';
import { bindingsOf, wholeNumber } from '../engine/visit.ts';
import type { Json } from '../json.ts';
import { payloadFromText } from '../payload.ts';
import { errorName, StatesError } from '../states-error.ts';
import { endedItems } from '../store/map-counts.ts';
import type { InterruptedMapRun, MapRun } from '../store/map-runs.ts';
import { beginMapRun, rootMachineArn } from './begin-map-run.ts';
import { type ChildInput, childInputs, sourceItems } from './map-items.ts';
import type { MapObjects } from './map-objects.ts';
import { type ChildParts, runChild } from './run-child.ts';
import { ChildOutputs, writeResults } from './write-results.ts';

/** AWS's limit for child executions of one map run at a time. */
const MAX_AT_ONCE = 10_000;

interface MapParts extends ChildParts {
  readonly objects: MapObjects;
  /** Why the machine's role may not do something; null if it may. */
  readonly refusalOf: (permission: Permission) => string | null;
}

/** One map run, and what it is run with. */
interface MapWork {
  readonly engine: Engine;
  readonly parts: MapParts;
  readonly state: MapState;
  readonly visit: Visit;
  readonly run: MapRun;
  /** Children that run at a time. */
  readonly atOnce: number;
}

/**
 * Runs the processor for each item, or each batch of items, in a child execution of its own. A map run that the stack's end
 * interrupted is joined: what its children gave stays, those that ran go on, the others follow.
 */
export async function runDistributedMap(
  engine: Engine,
  parts: MapParts,
  state: MapState,
  visit: Visit,
): Promise<Json> {
  const { thread } = visit;
  const maxConcurrency = await wholeNumber(
    engine,
    'MaxConcurrency',
    state.MaxConcurrency ?? 0,
    bindingsOf(visit),
    0,
    MAX_AT_ONCE,
  );
  requireStart(parts, visit);
  const { mapRunArn } = visit;
  visit.mapRunArn = undefined;
  const joined = mapRunArn === undefined ? undefined : parts.mapRuns.reopen(mapRunArn);
  const run = joined?.run ?? beginMapRun(engine, parts, state, visit, maxConcurrency);
  if (!joined) {
    thread.log('MapStateStarted', { length: 0 });
    thread.log('MapRunStarted', { mapRunArn: run.arn });
  }
  const work: MapWork = { engine, parts, state, visit, run, atOnce: maxConcurrency || MAX_AT_ONCE };
  const outputs = new ChildOutputs();
  for (const [index, output] of joined?.ended ?? []) if (output !== undefined) outputs.add(index, output);
  let failure: { readonly thrown: unknown } | undefined;
  try {
    await runChildren(work, joined, outputs);
  } catch (thrown) {
    failure = { thrown };
  }
  let result: Json | undefined;
  if (!thread.signal.aborted) {
    try {
      result = await writtenResult(work);
    } catch (thrown) {
      failure ??= { thrown };
    }
  }
  run.status = failure === undefined ? 'SUCCEEDED' : thread.signal.aborted ? 'ABORTED' : 'FAILED';
  run.stopMs = engine.clock.now();
  await parts.mapRuns.end(run);
  if (failure !== undefined) {
    logFailure(thread, failure.thrown);
    throw failure.thrown;
  }
  thread.log('MapRunSucceeded');
  thread.log('MapStateSucceeded');
  return result ?? outputs.inOrder(state.name);
}

/** Runs the children that have not ended yet, and adds what they give. */
async function runChildren(
  { engine, parts, state, visit, run, atOnce }: MapWork,
  joined: InterruptedMapRun | undefined,
  outputs: ChildOutputs,
): Promise<void> {
  const { signal: stop } = visit.thread;
  const items = await sourceItems(engine, parts.objects, state, visit);
  run.itemCounts.total = items.length;
  run.itemCounts.pending = items.length - endedItems(run.itemCounts);
  checkFailures(run, stop);
  const inputs = childInputs(engine, state, visit, items);
  await concurrently(joined ? toDo(inputs, joined) : inputs, atOnce, stop, async (child, signal) => {
    const record = await runChild(engine, parts, state, visit, run, child, signal);
    if (record.ended.output !== undefined) outputs.add(child.index, record.ended.output);
    checkFailures(run, signal);
  });
}

/** @throws {StatesError} `States.ExceedToleratedFailureThreshold` if a child has failed: no failure is tolerated */
function checkFailures({ executionCounts }: MapRun, signal: AbortSignal): void {
  if (executionCounts.failed + executionCounts.timedOut + executionCounts.aborted === 0 || signal.aborted)
    return;
  throw new StatesError(
    errorName.exceedToleratedFailureThreshold,
    'The specified tolerated failure threshold was exceeded',
  );
}

/** Writes the results to the place that the state names; undefined if it names none. */
async function writtenResult({ engine, parts, state, visit, run }: MapWork): Promise<Json | undefined> {
  if (state.ResultWriter === undefined) return undefined;
  const { Arguments = {} } = state.ResultWriter;
  const args = await engine.evaluate(Arguments, 'ResultWriter/Arguments', bindingsOf(visit));
  const { result, written } = await writeResults(parts.objects, parts.mapRuns, run, args);
  run.itemCounts.resultsWritten = endedItems(run.itemCounts);
  run.executionCounts.resultsWritten = written;
  return result;
}

function logFailure(thread: Visit['thread'], thrown: unknown): void {
  if (!thread.signal.aborted) {
    const { error, causeText } = thrown instanceof StatesError ? thrown : new StatesError(errorName.runtime);
    thread.log('MapRunFailed', { error, cause: causeText });
    thread.log('MapStateFailed');
  }
  if (isAborted(thread.signal)) thread.log('MapRunAborted');
}

/** The unfinished children of a joined map run; children that had begun continue with their old input. */
async function* toDo(
  inputs: AsyncGenerator<ChildInput, undefined>,
  { ended, unfinished }: InterruptedMapRun,
): AsyncGenerator<ChildInput, undefined> {
  for await (const child of inputs) {
    if (ended.has(child.index)) continue;
    const begun = unfinished.get(child.index);
    yield begun ? { ...child, input: payloadFromText(begun.input), begun } : child;
  }
}

/**
 * Children are executions of the machine itself, which its role must be allowed to start.
 *
 * @throws {StatesError} `States.Permissions`
 */
function requireStart({ site, refusalOf }: MapParts, visit: Visit): void {
  const refusal = refusalOf({ action: 'states:StartExecution', resource: rootMachineArn(site, visit) });
  if (refusal !== null) throw new StatesError(errorName.permissions, refusal);
}
