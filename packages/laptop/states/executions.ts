import { AwsError } from '../kernel/aws-error.ts';
import type { Clock } from '../kernel/clock.ts';
import type { EventBus, LogWriter } from '../kernel/ports.ts';
import type { Site } from '../kernel/service.ts';
import { checkArn, checkName, executionArn, parseStatesArn } from './arn.ts';
import { Logging } from './definition/logging.ts';
import { endedBy, interruptedBy } from './ending.ts';
import type { Engine } from './engine/engine.ts';
import { type Ending, type Execution, ExecutionStopped } from './engine/execution.ts';
import type { HistoryEvent } from './engine/history.ts';
import { runExecution } from './engine/run-execution.ts';
import {
  descriptionOf,
  type ExecutionDescription,
  type ExecutionFacts,
  statusChangeEvent,
} from './execution-description.ts';
import type { Chance } from './expression/functions.ts';
import { openExecution, type Opening, readInput } from './open-execution.ts';
import type { Payload } from './payload.ts';
import {
  type Begun,
  type Ended,
  type ExecutionFile,
  openExecutionFile,
  readExecutionFile,
} from './store/execution-file.ts';
import { ExecutionIndex, type ExecutionSummary } from './store/execution-index.ts';
import type { Machines, StoredMachine } from './store/machines.ts';
import type { MapRuns } from './store/map-runs.ts';
import type { StartedExecutions } from './tasks/start-execution.ts';

interface Running {
  readonly execution: Execution;
  readonly begun: Begun;
  readonly file: ExecutionFile;
  readonly done: Promise<void>;
}

interface Parts {
  readonly dir: string;
  readonly site: Site;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly bus: EventBus;
  readonly logs: LogWriter;
  readonly machines: Machines;
  readonly mapRuns: MapRuns;
  /** Known when the first execution starts. */
  readonly engine: () => Engine;
}

/** Executions of state machines: those that run are in memory, those that ended are read from their files. */
export class Executions implements StartedExecutions {
  private readonly parts: Parts;
  private readonly index: ExecutionIndex;
  private readonly running = new Map<string, Running>();
  private readonly resumable: (() => void)[] = [];
  private lastRead: { readonly arn: string; readonly events: readonly HistoryEvent[] } | undefined;
  private isClosing = false;

  constructor(parts: Parts) {
    this.parts = parts;
    this.index = new ExecutionIndex(parts.dir);
    const interrupted = [...this.index.all()].filter(({ status }) => status === 'RUNNING');
    for (const summary of interrupted) this.recover(summary);
  }

  /** Lets the executions that a stopped stack left go on where they stood. Call when all services are up. */
  resume(): void {
    for (const go of this.resumable.splice(0)) go();
  }

  /** @throws {AwsError} `StateMachineDoesNotExist`, `InvalidName`, `InvalidExecutionInput`, `ExecutionAlreadyExists` */
  async start(
    machineArn: string,
    input: string,
    givenName?: string,
  ): Promise<{ executionArn: string; startMs: number }> {
    checkArn(machineArn, 'stateMachine');
    const machine = this.parts.machines.get(machineArn);
    if (!machine)
      throw new AwsError('StateMachineDoesNotExist', `State Machine Does Not Exist: '${machineArn}'`);
    const name = givenName ?? this.parts.chance.uuid();
    checkName(name);
    const payload = readInput(input);
    const arn = executionArn(this.parts.site, machine.name, name);
    const known = this.index.get(arn);
    if (!known) return this.begin(arn, name, machine, payload);
    const running = this.running.get(arn);
    if (running?.begun.input !== input)
      throw new AwsError('ExecutionAlreadyExists', `Execution Already Exists: '${arn}'`);
    await running.file.written();
    await this.index.written();
    return { executionArn: arn, startMs: known.startMs };
  }

  private async begin(
    arn: string,
    name: string,
    machine: StoredMachine,
    input: Payload,
  ): Promise<{ executionArn: string; startMs: number }> {
    const { clock, dir } = this.parts;
    const startMs = clock.now();
    const { definitionId, roleArn, revisionId } = machine;
    const begun: Begun = { input: input.text, definitionId, roleArn, revisionId };
    const file = openExecutionFile(dir, arn, begun);
    this.index.started({ arn, name, machineArn: machine.arn, startMs });
    const launch = this.open({ arn, name, machine, startMs, begun, file, events: [] });
    await file.written();
    await this.index.written();
    await this.announce(this.describe(arn));
    launch();
    return { executionArn: arn, startMs };
  }

  /** Opens a running execution. Returns the function that runs it, from its start or from where it stood. */
  private open(opening: Opening): () => void {
    const { clock, mapRuns } = this.parts;
    const { arn, begun, file, events } = opening;
    const execution = openExecution(opening, { ...this.parts, isClosing: () => this.isClosing });
    const { promise, resolve } = Promise.withResolvers<void>();
    this.running.set(arn, { execution, begun, file, done: promise });
    const finish = async (ending: Ending): Promise<void> => {
      // A stack that closes leaves its executions open on disk: the next start goes on with them.
      if (this.isClosing) {
        file.close();
        return resolve();
      }
      const ended = endedBy(ending, clock.now());
      file.end(ended);
      await file.written();
      file.close();
      this.index.close(arn, ended.status, ended.stopMs);
      this.running.delete(arn);
      // A stack that is killed before the last line announces it again.
      await this.announce(descriptionOf(this.summary(arn), { begun, events: [], ended }));
      this.index.ended(arn, ended.status, ended.stopMs);
      await this.index.written();
      resolve();
    };
    return () => {
      if (events.length > 0) mapRuns.endOthers(arn, execution.interruption?.mapRunArn, clock.now());
      void runExecution(this.parts.engine(), execution).then(finish);
    };
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

  /** Stops all work in memory. Running executions stay open on disk. */
  async close(): Promise<void> {
    this.isClosing = true;
    const all = [...this.running.values()];
    for (const { execution } of all) execution.controller.abort(new ExecutionStopped());
    this.resume();
    await Promise.all(all.map(({ done }) => done));
    this.index.closeFile();
  }

  /** Takes up an execution that a stack left running: it goes on, or what is left of it says why it cannot. */
  private recover({ arn, name, machineArn, startMs }: ExecutionSummary): void {
    const { dir, clock, machines } = this.parts;
    const { begun, events, ended } = readExecutionFile(dir, arn);
    // StartExecution was never answered, so the execution counts as not started, and its name is free.
    if (!begun) return this.index.forget(arn);
    const file = openExecutionFile(dir, arn);
    if (ended) return this.endRecovered(arn, file, ended);
    const { logging } = machines.get(machineArn) ?? { logging: Logging.parse({}) };
    const machine = { arn: machineArn, name: parseStatesArn(arn)?.machine ?? '', logging };
    try {
      this.resumable.push(this.open({ arn, name, machine, startMs, begun, file, events }));
    } catch (error) {
      // For instance a definition that this release refuses, or a history that another program has changed.
      const { ended: failed, event } = interruptedBy(error, events.length, clock.now());
      file.event(event);
      file.end(failed);
      this.endRecovered(arn, file, failed);
    }
  }

  private endRecovered(arn: string, file: ExecutionFile, { status, stopMs }: Ended): void {
    file.close();
    this.index.close(arn, status, stopMs);
    this.parts.mapRuns.endOthers(arn, undefined, stopMs);
    this.resumable.push(() => {
      void this.announce(this.describe(arn)).then(() => this.index.ended(arn, status, stopMs));
    });
  }

  private async announce(description: ExecutionDescription): Promise<void> {
    await this.parts.bus.put(statusChangeEvent(description));
  }
}
