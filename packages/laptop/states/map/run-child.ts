import type { LogWriter } from '../../kernel/ports.ts';
import type { Site } from '../../kernel/service.ts';
import { executionArn } from '../arn.ts';
import type { MapState } from '../definition/machine.ts';
import { endedBy } from '../ending.ts';
import type { Engine } from '../engine/engine.ts';
import { type Execution, ExecutionStopped } from '../engine/execution.ts';
import { History } from '../engine/history.ts';
import { findInterruption } from '../engine/interruption.ts';
import { runExecution } from '../engine/run-execution.ts';
import type { Visit } from '../engine/thread.ts';
import { executionLog } from '../execution-log.ts';
import { countBegun, countEnded } from '../store/map-counts.ts';
import type { ChildRecord, MapRun, MapRuns } from '../store/map-runs.ts';
import type { ChildInput } from './map-items.ts';

/** A child execution while it runs. */
export interface RunningChild {
  readonly execution: Execution;
  readonly mapRunArn: string;
}

/** Dependencies that the children of all map runs share. */
export interface ChildParts {
  readonly site: Site;
  readonly logs: LogWriter;
  readonly mapRuns: MapRuns;
  /** Children that run now, by ARN. */
  readonly runningChildren: Map<string, RunningChild>;
}

/** Runs the processor on one item, or one batch of them, in an execution of its own, and counts it in its map run. */
export async function runChild(
  engine: Engine,
  { site, logs, mapRuns, runningChildren }: ChildParts,
  state: MapState,
  visit: Visit,
  run: MapRun,
  { index, items, input, begun }: ChildInput,
  signal: AbortSignal,
): Promise<ChildRecord> {
  const name = begun?.name ?? engine.chance.uuid();
  const [machineName = ''] = run.machineArn.split(':').slice(-1);
  const arn = executionArn(site, machineName, name);
  const startMs = begun?.startMs ?? engine.clock.now();
  const interruption = begun && findInterruption(begun.events);
  const { identity } = visit.thread.execution;
  const log = executionLog(logs, identity.logging, { arn, machineName, startMs });
  const execution: Execution = {
    arn,
    name,
    identity: { ...identity, arn: run.machineArn, name: machineName },
    machine: { ...state.processor, timeoutSeconds: undefined },
    input,
    startMs,
    history: new History(
      () => engine.clock.now(),
      (event) => {
        mapRuns.childEvent(run.arn, arn, event);
        log(event);
      },
      begun?.events,
    ),
    interruption,
    controller: new AbortController(),
  };
  if (begun) mapRuns.endOthers(arn, interruption?.mapRunArn, engine.clock.now());
  else mapRuns.childStarted(run.arn, { arn, name, startMs, index, items, input: input.text });
  const stop = (): void => execution.controller.abort(new ExecutionStopped());
  signal.addEventListener('abort', stop, { once: true });
  countBegun(run, items);
  runningChildren.set(arn, { execution, mapRunArn: run.arn });
  const ending = await runExecution(engine, execution);
  signal.removeEventListener('abort', stop);
  const ended = endedBy(ending, engine.clock.now());
  countEnded(run, ended.status, items);
  const record: ChildRecord = {
    arn,
    name,
    machineArn: run.machineArn,
    startMs,
    index,
    items,
    input: input.text,
    ended,
    events: execution.history.events,
  };
  mapRuns.addChild(run.arn, record);
  runningChildren.delete(arn);
  return record;
}
