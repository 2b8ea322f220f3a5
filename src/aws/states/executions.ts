import {
  DescribeExecutionCommand,
  GetExecutionHistoryCommand,
  type HistoryEvent,
  SFNClient,
  StartExecutionCommand,
  StopExecutionCommand,
} from '@aws-sdk/client-sfn';
import { required } from '../calls/answer.ts';
import { isNamed, withErrorNames } from '../calls/aws-error.ts';
import { named } from '../calls/named-calls.ts';

/** A status of Step Functions. `PENDING_REDRIVE`, of a Map Run's child that waits to be run again, has not ended either. */
export type ExecutionStatus =
  'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'TIMED_OUT' | 'ABORTED' | 'PENDING_REDRIVE';

/** An execution as Step Functions describes it. */
export interface ExecutionDescription {
  readonly arn: string;
  readonly status: ExecutionStatus;
  readonly startedAt: Date;
  readonly endedAt?: Date;
  readonly input?: string;
  readonly output?: string;
  readonly error?: string;
  readonly cause?: string;
}

/** One line of an execution's history, with the facts that a progress display needs. */
export interface ExecutionEvent {
  readonly id: number;
  /** Type in Step Functions' words: `TaskStateEntered`, `TaskStateExited`, `ExecutionFailed`, … */
  readonly type: string;
  readonly at: Date;
  readonly state?: string;
  /** JSON text of the input of a state that was entered. */
  readonly input?: string;
  /** JSON text of the state's output. */
  readonly output?: string;
  readonly error?: string;
  readonly cause?: string;
}

/** Executions of one state machine. Errors keep Step Functions' names; throttling is named `Throttled`. */
export interface Executions {
  /** The ARN that an execution of this name has or would have. */
  arnOf(name: string): string;
  /**
   * Starts an execution. Repeating name and input while it runs is harmless (`started` again); `exists`: an execution of this
   * name has ended, or had another input.
   */
  start(
    name: string,
    input: string,
  ): Promise<{ readonly outcome: 'started' | 'exists'; readonly arn: string }>;
  /** Describes an execution; undefined if it is not known. Step Functions keeps executions for 90 days. */
  describe(arn: string): Promise<ExecutionDescription | undefined>;
  /** Stops an execution with the status ABORTED. One that has already finished is left as it is. */
  stop(arn: string, reason: { readonly error: string; readonly cause: string }): Promise<void>;
  /** The events of an execution, oldest first, or newest first with `newestFirst`. Each request gets `pageSize` of them. */
  history(
    arn: string,
    options?: { readonly newestFirst?: boolean; readonly pageSize?: number },
  ): AsyncIterable<ExecutionEvent>;
}

let client: SFNClient | undefined;

/** Executions of the state machine of this ARN; the client is built on first use. */
export function executions({ stateMachineArn }: { readonly stateMachineArn: string }): Executions {
  const sfn = (): SFNClient => (client ??= named(new SFNClient()));
  const arnOf = (name: string): string =>
    `${stateMachineArn.replace(':stateMachine:', ':execution:')}:${name}`;
  return {
    arnOf,
    async start(name, input) {
      try {
        const answer = await withErrorNames(
          sfn().send(new StartExecutionCommand({ stateMachineArn, name, input })),
        );
        return { outcome: 'started', arn: required(answer.executionArn, 'executionArn') };
      } catch (error) {
        if (isNamed(error, 'ExecutionAlreadyExists')) return { outcome: 'exists', arn: arnOf(name) };
        throw error;
      }
    },
    async describe(arn) {
      try {
        const answer = await withErrorNames(sfn().send(new DescribeExecutionCommand({ executionArn: arn })));
        return {
          arn,
          status: required(answer.status, 'status'),
          startedAt: required(answer.startDate, 'startDate'),
          ...(answer.stopDate && { endedAt: answer.stopDate }),
          ...(answer.input !== undefined && { input: answer.input }),
          ...(answer.output !== undefined && { output: answer.output }),
          ...(answer.error !== undefined && { error: answer.error }),
          ...(answer.cause !== undefined && { cause: answer.cause }),
        };
      } catch (error) {
        if (isNamed(error, 'ExecutionDoesNotExist')) return undefined;
        throw error;
      }
    },
    async stop(arn, { error, cause }) {
      await withErrorNames(sfn().send(new StopExecutionCommand({ executionArn: arn, error, cause })));
    },
    async *history(arn, { newestFirst = false, pageSize = 200 } = {}) {
      let nextToken: string | undefined;
      do {
        const page = await withErrorNames(
          sfn().send(
            new GetExecutionHistoryCommand({
              executionArn: arn,
              reverseOrder: newestFirst,
              maxResults: pageSize,
              nextToken,
            }),
          ),
        );
        for (const event of page.events ?? []) yield toEvent(event);
        nextToken = page.nextToken;
      } while (nextToken !== undefined);
    },
  };
}

function toEvent(event: HistoryEvent): ExecutionEvent {
  const state = event.stateEnteredEventDetails?.name ?? event.stateExitedEventDetails?.name;
  const input = event.stateEnteredEventDetails?.input;
  const output = event.stateExitedEventDetails?.output ?? event.executionSucceededEventDetails?.output;
  const failure =
    event.executionFailedEventDetails ??
    event.executionAbortedEventDetails ??
    event.executionTimedOutEventDetails ??
    event.taskFailedEventDetails ??
    event.taskTimedOutEventDetails ??
    event.mapRunFailedEventDetails ??
    event.evaluationFailedEventDetails ??
    event.lambdaFunctionFailedEventDetails;
  return {
    id: required(event.id, 'events.id'),
    type: required(event.type, 'events.type'),
    at: required(event.timestamp, 'events.timestamp'),
    ...(state !== undefined && { state }),
    ...(input !== undefined && { input }),
    ...(output !== undefined && { output }),
    ...(failure?.error !== undefined && { error: failure.error }),
    ...(failure?.cause !== undefined && { cause: failure.cause }),
  };
}
