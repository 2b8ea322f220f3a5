import { parseStatesArn, stateMachineArn } from '../arn.ts';
import type { HistoryEvent } from '../engine/history.ts';
import type { ExecutionFacts } from '../execution-description.ts';
import type { ChildRecord, MapRun } from '../store/map-runs.ts';
import type { StatesDeps } from './deps.ts';

/** An execution of a machine or of a map run, running or ended, as DescribeExecution returns it. */
export interface FoundExecution extends ExecutionFacts {
  readonly mapRunArn: string | undefined;
  readonly history: () => readonly HistoryEvent[];
}

/** @throws {AwsError} `ExecutionDoesNotExist` */
export function findExecution(deps: StatesDeps, arn: string): FoundExecution {
  return (
    findChild(deps, arn) ?? {
      ...deps.executions.describe(arn),
      mapRunArn: undefined,
      history: () => deps.executions.history(arn),
    }
  );
}

function findChild({ runningChildren, mapRuns, site }: StatesDeps, arn: string): FoundExecution | undefined {
  const running = runningChildren.get(arn);
  if (running) {
    const { execution, mapRunArn } = running;
    const { identity, input, name, startMs, history } = execution;
    return {
      arn,
      name,
      stateMachineArn: identity.arn,
      mapRunArn,
      status: 'RUNNING',
      startMs,
      stopMs: undefined,
      input: input.text,
      output: undefined,
      error: undefined,
      cause: undefined,
      history: () => history.events,
    };
  }
  const parsed = parseStatesArn(arn);
  if (parsed?.kind !== 'execution' || !parsed.machine.includes('/')) return undefined;
  const machineArn = stateMachineArn(site, parsed.machine);
  for (const run of mapRuns.all()) {
    if (run.machineArn !== machineArn) continue;
    let found: ChildRecord | undefined;
    mapRuns.children(run.arn, (child) => {
      if (child.arn === arn) found = child;
      return child.arn !== arn;
    });
    if (found) return endedChild(run, found);
  }
  return undefined;
}

function endedChild(
  run: MapRun,
  { arn, name, machineArn, startMs, input, ended, events }: ChildRecord,
): FoundExecution {
  return {
    arn,
    name,
    stateMachineArn: machineArn,
    mapRunArn: run.arn,
    status: ended.status,
    startMs,
    stopMs: ended.stopMs,
    input,
    output: ended.output,
    error: ended.error,
    cause: ended.cause,
    history: () => events,
  };
}
