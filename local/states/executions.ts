import type { Clock } from '../gateway/clock.ts';
import { AwsError } from '../gateway/aws-error.ts';
import type { EventBus, LogWriter } from '../gateway/ports.ts';
import type { Site } from '../gateway/service.ts';
import { checkArn, executionArn } from './arn.ts';
import { endedBy } from './ending.ts';
import type { Engine } from './engine/engine.ts';
import type { Ending, Execution } from './engine/execution.ts';
import { ExecutionStopped } from './engine/execution.ts';
import type { HistoryEvent } from './engine/history.ts';
import { History } from './engine/history.ts';
import { runExecution } from './engine/run-execution.ts';
import type { ExecutionFacts } from './execution-facts.ts';
import { executionLog } from './execution-log.ts';
import type { Chance } from './expression/functions.ts';
import { checkName } from './name.ts';
import type { Payload } from './payload.ts';
import { isWithinLimit, payloadFromText } from './payload.ts';
import { errorName } from './states-error.ts';
import { statusChangeEvent } from './status-change.ts';
import type { Begun, Ended, ExecutionRecord } from './store/execution-file.ts';
import { openExecutionFile, readExecutionFile } from './store/execution-file.ts';
import type { ExecutionSummary } from './store/execution-index.ts';
import { ExecutionIndex } from './store/execution-index.ts';
import type { Machines, StoredMachine } from './store/machines.ts';
import type { NestedExecutions } from './tasks/start-execution.ts';

interface Running {
  readonly execution: Execution;
  readonly begun: Begun;
  readonly done: Promise<void>;
}

/** Everything that DescribeExecution tells. */
export interface ExecutionDescription extends ExecutionFacts {
  readonly definitionId: string;
  readonly roleArn: string;
  readonly revisionId: string;
}

interface Parts {
  readonly dir: string;
  readonly site: Site;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly bus: EventBus;
  readonly logs: LogWriter;
  readonly machines: Machines;
  /** Known when the first execution starts. */
  readonly engine: () => Engine;
}

/** Executions of state machines: those that run are in memory, those that ended are read from their files. */
export class Executions implements NestedExecutions {
  private readonly parts: Parts;
  private readonly index: ExecutionIndex;
  private readonly running = new Map<string, Running>();
  private readonly orphans: string[] = [];
  private lastRead: { readonly arn: string; readonly events: readonly HistoryEvent[] } | undefined;
  private isClosing = false;

  constructor(parts: Parts) {
    this.parts = parts;
    this.index = new ExecutionIndex(parts.dir);
    for (const { arn, status } of this.index.all()) if (status === 'RUNNING') this.orphans.push(arn);
    for (const arn of this.orphans) this.endOrphan(arn);
  }

  /** Puts the events of executions that a stopped process left behind on the bus. Call once, when all services are up. */
  announceOrphans(): void {
    for (const arn of this.orphans.splice(0)) this.announce(this.describe(arn));
  }

  /** @throws {AwsError} `StateMachineDoesNotExist`, `InvalidName`, `InvalidExecutionInput`, `ExecutionAlreadyExists` */
  async start(
    machineArn: string,
    input: string,
    givenName?: string,
  ): Promise<{ executionArn: string; startMs: number }> {
    checkArn(machineArn, 'stateMachine');
    const machine = this.parts.machines.get(machineArn);
    if (!machine) {
      throw new AwsError('StateMachineDoesNotExist', `State Machine Does Not Exist: '${machineArn}'`);
    }
    const name = givenName ?? this.parts.chance.uuid();
    checkName(name);
    const payload = readInput(input);
    const arn = executionArn(this.parts.site, machine.name, name);
    const known = this.index.get(arn);
    if (!known) return this.begin(arn, name, machine, payload);
    if (this.running.get(arn)?.begun.input !== input) {
      throw new AwsError('ExecutionAlreadyExists', `Execution Already Exists: '${arn}'`);
    }
    await this.index.written();
    return { executionArn: arn, startMs: known.startMs };
  }

  private async begin(
    arn: string,
    name: string,
    machine: StoredMachine,
    input: Payload,
  ): Promise<{ executionArn: string; startMs: number }> {
    const { clock, dir, logs, machines } = this.parts;
    const startMs = clock.now();
    const { definitionId, roleArn, revisionId } = machine;
    const begun: Begun = { input: input.text, definitionId, roleArn, revisionId };
    const file = openExecutionFile(dir, arn, begun);
    const log = executionLog(logs, machine.logging, { arn, machineName: machine.name, startMs });
    const execution: Execution = {
      arn,
      name,
      identity: { arn: machine.arn, name: machine.name, roleArn, logging: machine.logging },
      machine: machines.machine(definitionId),
      input,
      startMs,
      controller: new AbortController(),
      history: new History(
        () => clock.now(),
        (event) => {
          if (this.isClosing) return;
          file.event(event);
          log(event);
        },
      ),
    };
    this.index.started({ arn, name, machineArn: machine.arn, startMs });
    const { promise, resolve } = Promise.withResolvers<void>();
    this.running.set(arn, { execution, begun, done: promise });
    await file.written();
    await this.index.written();
    this.announce(this.describe(arn));
    const finish = async (ending: Ending): Promise<void> => {
      // A stack that closes leaves its executions open on disk: the next start ends them.
      if (this.isClosing) {
        file.close();
        return resolve();
      }
      const ended = endedBy(ending, clock.now());
      file.end(ended);
      await file.written();
      file.close();
      this.index.ended(arn, ended.status, ended.stopMs);
      this.running.delete(arn);
      await this.index.written();
      this.announce(descriptionOf(this.summary(arn), { begun, events: [], ended }));
      resolve();
    };
    void runExecution(this.parts.engine(), execution).then(finish);
    return { executionArn: arn, startMs };
  }

  /** @throws {AwsError} `InvalidArn`, `ExecutionDoesNotExist` */
  summary(arn: string): ExecutionSummary {
    checkArn(arn, 'execution');
    const summary = this.index.get(arn);
    if (!summary) throw new AwsError('ExecutionDoesNotExist', `Execution Does Not Exist: '${arn}'`);
    return summary;
  }

  /** Newest first. */
  all(): ExecutionSummary[] {
    return [...this.index.all()].reverse();
  }

  /** @throws {AwsError} `ExecutionDoesNotExist` */
  describe(arn: string): ExecutionDescription {
    const summary = this.summary(arn);
    const running = this.running.get(arn);
    if (running) return descriptionOf(summary, { begun: running.begun, events: [], ended: undefined });
    return descriptionOf(summary, readExecutionFile(this.parts.dir, arn));
  }

  /** @throws {AwsError} `ExecutionDoesNotExist` */
  history(arn: string): readonly HistoryEvent[] {
    this.summary(arn);
    const running = this.running.get(arn);
    if (running) return running.execution.history.events;
    // A client that pages through a long history asks for the same file again and again.
    if (this.lastRead?.arn !== arn)
      this.lastRead = { arn, events: readExecutionFile(this.parts.dir, arn).events };
    return this.lastRead.events;
  }

  async ended(arn: string): Promise<ExecutionFacts> {
    await this.running.get(arn)?.done;
    return this.describe(arn);
  }

  /** Stops an execution; one that has ended stays as it is. */
  stop(arn: string, error: string | undefined, cause: string | undefined): void {
    this.summary(arn);
    this.running.get(arn)?.execution.controller.abort(new ExecutionStopped(error, cause));
  }

  /** Ends all work in memory. Running executions stay open on disk. */
  async close(): Promise<void> {
    this.isClosing = true;
    const all = [...this.running.values()];
    for (const { execution } of all) execution.controller.abort(new ExecutionStopped());
    await Promise.all(all.map(({ done }) => done));
    this.index.closeFile();
  }

  private endOrphan(arn: string): void {
    const { dir, clock } = this.parts;
    const { events, ended: kept } = readExecutionFile(dir, arn);
    const file = openExecutionFile(dir, arn);
    const stopMs = clock.now();
    const ended: Ended = kept ?? {
      status: 'FAILED',
      stopMs,
      error: errorName.runtime,
      cause: 'stack stopped',
    };
    if (!kept) {
      const id = events.length + 1;
      const details = { error: ended.error, cause: ended.cause };
      const base = { timestamp: stopMs / 1000, type: 'ExecutionFailed', id, previousEventId: events.length };
      file.event({ ...base, executionFailedEventDetails: details });
      file.end(ended);
    }
    file.close();
    this.index.ended(arn, ended.status, ended.stopMs);
  }

  private announce(description: ExecutionDescription): void {
    this.parts.bus.put(statusChangeEvent(description));
  }
}

/** @throws {AwsError} `InvalidExecutionInput`, `ValidationException` */
function readInput(input: string): Payload {
  if (!isWithinLimit(input)) {
    throw new AwsError(
      'ValidationException',
      "Value at 'input' failed to satisfy constraint: at most 262144 bytes of UTF-8",
    );
  }
  try {
    return payloadFromText(input);
  } catch (error) {
    throw new AwsError('InvalidExecutionInput', `Invalid State Machine Execution Input: '${String(error)}'`);
  }
}

function descriptionOf(summary: ExecutionSummary, { begun, ended }: ExecutionRecord): ExecutionDescription {
  return {
    arn: summary.arn,
    name: summary.name,
    stateMachineArn: summary.machineArn,
    status: summary.status,
    startMs: summary.startMs,
    stopMs: summary.stopMs,
    input: begun?.input ?? '{}',
    definitionId: begun?.definitionId ?? '',
    roleArn: begun?.roleArn ?? '',
    revisionId: begun?.revisionId ?? '',
    output: ended?.output,
    error: ended?.error,
    cause: ended?.cause,
  };
}
