import type { Logging } from '../definition/logging.ts';
import type { Machine } from '../definition/machine.ts';
import type { Payload } from '../payload.ts';
import type { History } from './history.ts';
import type { Interruption } from './interruption.ts';

/** A state machine as an execution sees it: the revision it was started with. */
interface MachineIdentity {
  readonly arn: string;
  /** For the children of a Distributed Map: `<machine>/<label>`. */
  readonly name: string;
  readonly roleArn: string;
  readonly logging: Logging;
}

/** One running execution, or one running child of a Distributed Map. */
export interface Execution {
  readonly arn: string;
  readonly name: string;
  readonly identity: MachineIdentity;
  readonly machine: Machine;
  readonly input: Payload;
  readonly startMs: number;
  /** With the events of former lives of the stack. */
  readonly history: History;
  /** Where it stood when the stack ended. */
  readonly interruption?: Interruption | undefined;
  /** Aborted with an `ExecutionStopped`, an `ExecutionTimedOut` or a `HistoryFull`. */
  readonly controller: AbortController;
}

/** Outcome of an execution: its output as JSON text, or why it has no output. */
export type Ending =
  | { readonly status: 'SUCCEEDED'; readonly output: string }
  | {
      readonly status: 'FAILED' | 'TIMED_OUT' | 'ABORTED';
      readonly error: string | undefined;
      readonly cause: string | undefined;
    };

/** Status of an execution in DescribeExecution; without `PENDING_REDRIVE`, since redrives are not emulated. */
export type ExecutionStatus = 'RUNNING' | Ending['status'];

/** StopExecution was called, or the map run around a child ended. */
export class ExecutionStopped extends Error {
  override readonly name = 'ExecutionStopped';
  readonly error: string | undefined;
  readonly causeText: string | undefined;

  constructor(error?: string, causeText?: string) {
    super('the execution was stopped');
    this.error = error;
    this.causeText = causeText;
  }
}

/** The machine's own TimeoutSeconds passed. */
export class ExecutionTimedOut extends Error {
  override readonly name = 'ExecutionTimedOut';
}
