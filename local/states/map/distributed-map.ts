import type { LogWriter } from '../../gateway/ports.ts';
import type { Site } from '../../gateway/service.ts';
import { executionArn, mapRunArn, stateMachineArn } from '../arn.ts';
import type { MapState } from '../definition/machine.ts';
import { isAborted } from '../engine/aborted.ts';
import { concurrently } from '../engine/concurrently.ts';
import type { Engine } from '../engine/engine.ts';
import type { Execution } from '../engine/execution.ts';
import { ExecutionStopped } from '../engine/execution.ts';
import { History } from '../engine/history.ts';
import { itemsOf, selectItem } from '../engine/inline-map.ts';
import { runExecution } from '../engine/run-execution.ts';
import type { Visit } from '../engine/thread.ts';
import { bindingsOf, wholeNumber } from '../engine/visit.ts';
import { executionLog } from '../execution-log.ts';
import { endedBy } from '../ending.ts';
import { EvaluationError } from '../expression/evaluate.ts';
import type { Json } from '../json.ts';
import { parseJson } from '../json.ts';
import { PAYLOAD_LIMIT_BYTES } from '../payload.ts';
import { StatesError, errorName } from '../states-error.ts';
import type { ChildRecord, MapRun, MapRuns } from '../store/map-runs.ts';
import { countOf, noCounts } from '../store/map-runs.ts';
import type { SdkCalls } from '../tasks/sdk-calls.ts';
import type { ChildInput } from './child-inputs.ts';
import { batchedInputs, singleInputs } from './child-inputs.ts';
import { readItems } from './read-items.ts';
import { transformed, writeResults } from './write-results.ts';

/** AWS's limit for child executions of one map run at a time. */
const MOST_AT_ONCE = 10_000;

export interface MapParts {
  readonly site: Site;
  readonly logs: LogWriter;
  readonly sdk: SdkCalls;
  readonly mapRuns: MapRuns;
  /** Children that run now, by ARN. */
  readonly runningChildren: Map<string, RunningChild>;
}

export interface RunningChild {
  readonly execution: Execution;
  readonly mapRunArn: string;
  readonly itemCount: number;
}

/** Runs the processor for each item, or batch of items, in a child execution of its own. */
export async function runDistributedMap(
  engine: Engine,
  parts: MapParts,
  state: MapState,
  visit: Visit,
): Promise<Json> {
  const { thread } = visit;
  const settings = await settingsOf(engine, state, visit);
  const run = beginRun(engine, parts, state, visit, settings);
  thread.log('MapStateStarted', { length: 0 });
  thread.log('MapRunStarted', { mapRunArn: run.arn });
  let failure: { readonly thrown: unknown } | undefined;
  const outputs = new Outputs();
  try {
    const items = await sourceItems(engine, parts, state, visit);
    run.itemCounts.total = items.length;
    run.itemCounts.pending = items.length;
    const inputs = await childInputs(engine, state, visit, items);
    await concurrently(
      inputs,
      settings.maxConcurrency || MOST_AT_ONCE,
      thread.signal,
      async (child, signal) => {
        const record = await runChild(engine, parts, state, visit, run, child, signal);
        if (record.ended.output !== undefined) outputs.add(child.index, record.ended.output);
        if (isOver(run, settings) && !signal.aborted) {
          throw new StatesError(
            errorName.exceedToleratedFailureThreshold,
            'The specified tolerated failure threshold was exceeded',
          );
        }
      },
    );
  } catch (thrown) {
    failure = { thrown };
  }
  const { Resource, WriterConfig, Arguments } = state.ResultWriter ?? {};
  let result: Json | undefined;
  if (Resource !== undefined && !thread.signal.aborted) {
    try {
      const args = await engine.evaluate(Arguments ?? {}, 'ResultWriter/Arguments', bindingsOf(visit));
      const written = await writeResults(parts.sdk, parts.mapRuns, run, WriterConfig, args);
      result = written.result;
      run.itemCounts.resultsWritten = run.executionCounts.resultsWritten = written.written;
    } catch (thrown) {
      failure ??= { thrown };
    }
  }
  run.status = failure === undefined ? 'SUCCEEDED' : thread.signal.aborted ? 'ABORTED' : 'FAILED';
  run.stopMs = engine.clock.now();
  await parts.mapRuns.end(run);
  if (failure !== undefined) {
    if (!thread.signal.aborted) {
      const { error, causeText } =
        failure.thrown instanceof StatesError ? failure.thrown : new StatesError(errorName.runtime);
      thread.log('MapRunFailed', { error, cause: causeText });
      thread.log('MapStateFailed');
    }
    if (isAborted(thread.signal)) thread.log('MapRunAborted');
    throw failure.thrown;
  }
  thread.log('MapRunSucceeded');
  thread.log('MapStateSucceeded');
  if (result !== undefined) return result;
  return WriterConfig === undefined ? outputs.inOrder(state.name) : shapedResult(parts, run, state);
}

/** Outputs of children, kept only as long as they can still become one result. */
class Outputs {
  private readonly texts = new Map<number, string>();
  private bytes = 2;

  add(index: number, text: string): void {
    this.bytes += Buffer.byteLength(text) + 1;
    if (this.bytes - 1 > PAYLOAD_LIMIT_BYTES) this.texts.clear();
    else this.texts.set(index, text);
  }

  inOrder(stateName: string): Json {
    if (this.bytes - 1 > PAYLOAD_LIMIT_BYTES) {
      const cause = `The state/task '${stateName}' returned a result with a size exceeding the maximum number of bytes service limit. Use a ResultWriter.`;
      throw new StatesError(errorName.dataLimitExceeded, cause);
    }
    return [...this.texts].sort(([a], [b]) => a - b).map(([, text]) => parseJson(text));
  }
}

function shapedResult({ mapRuns }: MapParts, run: MapRun, state: MapState): Json {
  const children: ChildRecord[] = [];
  mapRuns.children(run.arn, (child) => {
    if (child.ended.status === 'SUCCEEDED') children.push({ ...child, events: [] });
  });
  return transformed(children, state.ResultWriter?.WriterConfig);
}

interface Settings {
  readonly maxConcurrency: number;
  readonly toleratedCount: number | undefined;
  readonly toleratedPercentage: number | undefined;
}

async function settingsOf(engine: Engine, state: MapState, visit: Visit): Promise<Settings> {
  const bindings = bindingsOf(visit);
  const { ToleratedFailureCount: count, ToleratedFailurePercentage: percentage } = state;
  let toleratedPercentage: number | undefined;
  if (percentage !== undefined) {
    const value = await engine.evaluate(percentage, 'ToleratedFailurePercentage', bindings);
    if (typeof value !== 'number' || value < 0 || value > 100) {
      throw new EvaluationError(
        'ToleratedFailurePercentage',
        String(percentage),
        'must give a number from 0 to 100.',
      );
    }
    toleratedPercentage = value;
  }
  return {
    maxConcurrency: await wholeNumber(
      engine,
      'MaxConcurrency',
      state.MaxConcurrency ?? 0,
      bindings,
      0,
      MOST_AT_ONCE,
    ),
    toleratedCount:
      count === undefined
        ? undefined
        : await wholeNumber(engine, 'ToleratedFailureCount', count, bindings, 0, Number.MAX_SAFE_INTEGER),
    toleratedPercentage,
  };
}

/** Without a threshold, one failed item is too many; with both, either can be exceeded. */
function isOver({ itemCounts }: MapRun, { toleratedCount, toleratedPercentage }: Settings): boolean {
  const failed = itemCounts.failed + itemCounts.timedOut + itemCounts.aborted;
  if (toleratedCount === undefined && toleratedPercentage === undefined) return failed > 0;
  if (toleratedCount !== undefined && failed > toleratedCount) return true;
  return toleratedPercentage !== undefined && (100 * failed) / itemCounts.total > toleratedPercentage;
}

function beginRun(
  engine: Engine,
  { site, mapRuns }: MapParts,
  state: MapState,
  visit: Visit,
  settings: Settings,
): MapRun {
  const { execution } = visit.thread;
  const machineName = rootName(execution);
  const label = state.Label ?? state.name.replace(/[^\w-]/g, '').slice(0, 40);
  const run: MapRun = {
    arn: mapRunArn(site, machineName, label, engine.chance.uuid()),
    executionArn: execution.arn,
    machineArn: stateMachineArn(site, `${machineName}/${label}`),
    startMs: engine.clock.now(),
    status: 'RUNNING',
    maxConcurrency: settings.maxConcurrency,
    toleratedFailureCount: settings.toleratedCount ?? 0,
    toleratedFailurePercentage: settings.toleratedPercentage ?? 0,
    itemCounts: noCounts(),
    executionCounts: noCounts(),
  };
  mapRuns.begin(run);
  return run;
}

function rootName(execution: Execution): string {
  return execution.identity.name.split('/')[0] ?? execution.identity.name;
}

async function sourceItems(
  engine: Engine,
  { sdk }: MapParts,
  state: MapState,
  visit: Visit,
): Promise<readonly Json[]> {
  const reader = state.ItemReader;
  if (!reader) return itemsOf(engine, state, visit);
  const bindings = bindingsOf(visit);
  const args = await engine.evaluate(reader.Arguments ?? {}, 'ItemReader/Arguments', bindings);
  const most = reader.ReaderConfig?.MaxItems;
  const maxItems =
    most === undefined
      ? undefined
      : await wholeNumber(engine, 'ItemReader/ReaderConfig/MaxItems', most, bindings, 1, 100_000_000);
  return readItems(sdk, reader, args, maxItems);
}

async function childInputs(
  engine: Engine,
  state: MapState,
  visit: Visit,
  items: readonly Json[],
): Promise<AsyncGenerator<ChildInput, undefined>> {
  const select = (value: Json, index: number): Promise<Json> =>
    selectItem(engine, state, visit, value, { Item: { Index: index, Value: value } });
  const batcher = state.ItemBatcher;
  if (!batcher) return singleInputs(items, select);
  const bindings = bindingsOf(visit);
  const { MaxItemsPerBatch: maxItems, MaxInputBytesPerBatch: maxBytes, BatchInput } = batcher;
  return batchedInputs(items, select, {
    maxItems:
      maxItems === undefined
        ? undefined
        : await wholeNumber(engine, 'ItemBatcher/MaxItemsPerBatch', maxItems, bindings, 1, 100_000_000),
    maxBytes:
      maxBytes === undefined
        ? undefined
        : await wholeNumber(
            engine,
            'ItemBatcher/MaxInputBytesPerBatch',
            maxBytes,
            bindings,
            1,
            PAYLOAD_LIMIT_BYTES,
          ),
    batchInput:
      BatchInput === undefined
        ? undefined
        : await engine.evaluate(BatchInput, 'ItemBatcher/BatchInput', bindings),
  });
}

async function runChild(
  engine: Engine,
  { site, logs, mapRuns, runningChildren }: MapParts,
  state: MapState,
  visit: Visit,
  run: MapRun,
  { input, itemCount }: ChildInput,
  signal: AbortSignal,
): Promise<ChildRecord> {
  const name = engine.chance.uuid();
  const [machineName = ''] = run.machineArn.split(':').slice(-1);
  const arn = executionArn(site, machineName, name);
  const startMs = engine.clock.now();
  const { identity } = visit.thread.execution;
  const log = executionLog(logs, identity.logging, { arn, machineName, startMs });
  const execution: Execution = {
    arn,
    name,
    identity: { ...identity, arn: run.machineArn, name: machineName },
    machine: { ...state.processor, timeoutSeconds: undefined },
    input,
    startMs,
    history: new History(() => engine.clock.now(), log),
    controller: new AbortController(),
  };
  const stop = (): void => execution.controller.abort(new ExecutionStopped());
  signal.addEventListener('abort', stop, { once: true });
  const { itemCounts, executionCounts } = run;
  executionCounts.total++;
  executionCounts.running++;
  itemCounts.pending -= itemCount;
  itemCounts.running += itemCount;
  runningChildren.set(arn, { execution, mapRunArn: run.arn, itemCount });
  const ending = await runExecution(engine, execution);
  signal.removeEventListener('abort', stop);
  const ended = endedBy(ending, engine.clock.now());
  const field = countOf(ended.status);
  executionCounts.running--;
  executionCounts[field]++;
  itemCounts.running -= itemCount;
  itemCounts[field] += itemCount;
  const record: ChildRecord = {
    arn,
    name,
    machineArn: run.machineArn,
    startMs,
    itemCount,
    input: input.text,
    ended,
    events: execution.history.events,
  };
  mapRuns.addChild(run.arn, record);
  runningChildren.delete(arn);
  return record;
}
