import type { Permission } from '../../kernel/permission.ts';
import type { MapState } from '../definition/machine.ts';
import { concurrently } from '../engine/concurrently.ts';
import type { Engine } from '../engine/engine.ts';
import { isAborted } from '../engine/is-aborted.ts';
import { takeBegun, type Visit } from '../engine/thread.ts';
import { bindingsOf } from '../engine/visit.ts';
import type { Json } from '../json.ts';
import { payloadFromText } from '../payload.ts';
import { errorName, StatesError } from '../states-error.ts';
import { endedItems } from '../store/map-counts.ts';
import type { ChildRecord, InterruptedMapRun, MapRun } from '../store/map-runs.ts';
import type { SdkCalls } from '../tasks/sdk-calls.ts';
import { beginMapRun, rootMachineArn } from './begin-map-run.ts';
import type { ChildInput } from './child-inputs.ts';
import { ChildOutputs } from './child-outputs.ts';
import { childInputs, sourceItems } from './map-inputs.ts';
import { isOverThreshold, type MapSettings, mapSettings, MAX_AT_ONCE } from './map-settings.ts';
import { type ChildParts, runChild } from './run-child.ts';
import { transformed, writeResults } from './write-results.ts';

interface MapParts extends ChildParts {
  readonly sdk: SdkCalls;
  /** Why the machine's role may not do something; null where it may. */
  readonly refusalOf: (permission: Permission) => string | null;
}

/** One map run, and what it is run with. */
interface MapWork {
  readonly engine: Engine;
  readonly parts: MapParts;
  readonly state: MapState;
  readonly visit: Visit;
  readonly run: MapRun;
  readonly settings: MapSettings;
}

/**
 * Runs the processor for each item, or batch of items, in a child execution of its own. A map run that the stack's end
 * interrupted is joined: what its children gave stays, those that ran go on, the others follow.
 */
export async function runDistributedMap(
  engine: Engine,
  parts: MapParts,
  state: MapState,
  visit: Visit,
): Promise<Json> {
  const { thread } = visit;
  const settings = await mapSettings(engine, state, visit);
  requireStart(parts, visit);
  const { mapRunArn } = takeBegun(visit);
  const joined = mapRunArn === undefined ? undefined : parts.mapRuns.reopen(mapRunArn);
  const run = joined?.run ?? beginMapRun(engine, parts, state, visit, settings);
  if (!joined) {
    thread.log('MapStateStarted', { length: 0 });
    thread.log('MapRunStarted', { mapRunArn: run.arn });
  }
  const work: MapWork = { engine, parts, state, visit, run, settings };
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
  if (result !== undefined) return result;
  return state.ResultWriter?.WriterConfig === undefined ? outputs.inOrder(state.name) : shapedResult(work);
}

/** Runs the children that have not ended yet, and adds what they give. */
async function runChildren(
  { engine, parts, state, visit, run, settings }: MapWork,
  joined: InterruptedMapRun | undefined,
  outputs: ChildOutputs,
): Promise<void> {
  const { signal: stop } = visit.thread;
  const items = await sourceItems(engine, parts.sdk, state, visit);
  run.itemCounts.total = items.length;
  run.itemCounts.pending = items.length - endedItems(run);
  checkThreshold(run, settings, stop);
  const inputs = await childInputs(engine, state, visit, items);
  await concurrently(
    joined ? toDo(inputs, joined) : inputs,
    settings.maxConcurrency || MAX_AT_ONCE,
    stop,
    async (child, signal) => {
      const record = await runChild(engine, parts, state, visit, run, child, signal);
      if (record.ended.output !== undefined) outputs.add(child.index, record.ended.output);
      checkThreshold(run, settings, signal);
    },
  );
}

/** @throws {StatesError} `States.ExceedToleratedFailureThreshold` */
function checkThreshold(run: MapRun, settings: MapSettings, signal: AbortSignal): void {
  if (!isOverThreshold(run, settings) || signal.aborted) return;
  throw new StatesError(
    errorName.exceedToleratedFailureThreshold,
    'The specified tolerated failure threshold was exceeded',
  );
}

/** Writes the results where the state says; undefined where it names no place. */
async function writtenResult({ engine, parts, state, visit, run }: MapWork): Promise<Json | undefined> {
  const { sdk, mapRuns } = parts;
  const { Resource, WriterConfig, Arguments = {} } = state.ResultWriter ?? {};
  if (Resource === undefined) return undefined;
  const args = await engine.evaluate(Arguments, 'ResultWriter/Arguments', bindingsOf(visit));
  const { result, written } = await writeResults(sdk, mapRuns, run, WriterConfig, args);
  run.itemCounts.resultsWritten = run.executionCounts.resultsWritten = written;
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

/** The children of a joined map run that have not ended; those that had begun go on with what they were given. */
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

function shapedResult({ parts, run, state }: MapWork): Json {
  const children: ChildRecord[] = [];
  parts.mapRuns.children(run.arn, (child) => {
    if (child.ended.status === 'SUCCEEDED') children.push({ ...child, events: [] });
  });
  return transformed(children, state.ResultWriter?.WriterConfig);
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
