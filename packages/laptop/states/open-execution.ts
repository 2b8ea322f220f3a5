import { AwsError, validationException } from '../kernel/aws-error.ts';
import type { Clock } from '../kernel/clock.ts';
import type { LogWriter } from '../kernel/ports.ts';
import type { Execution } from './engine/execution.ts';
import { History, type HistoryEvent } from './engine/history.ts';
import { findInterruption } from './engine/interruption.ts';
import { executionLog } from './execution-log.ts';
import { isWithinLimit, type Payload, payloadFromText } from './payload.ts';
import type { Begun, ExecutionFile } from './store/execution-file.ts';
import type { Machines, StoredMachine } from './store/machines.ts';

/** Parts of a running execution. */
export interface Opening {
  readonly arn: string;
  readonly name: string;
  readonly machine: Pick<StoredMachine, 'arn' | 'name' | 'logging'>;
  readonly startMs: number;
  readonly begun: Begun;
  readonly file: ExecutionFile;
  /** Events of former lives of the stack. */
  readonly events: readonly HistoryEvent[];
}

/**
 * A running execution, from its start or from where it stood. Its events go to its file and its log.
 *
 * @param parts.isClosing whether the stack is stopping, after which events aren't kept
 * @throws {Error} if its definition or its history doesn't let it continue
 */
export function openExecution(
  { arn, name, machine, startMs, begun, file, events }: Opening,
  parts: {
    readonly clock: Clock;
    readonly logs: LogWriter;
    readonly machines: Machines;
    readonly isClosing: () => boolean;
  },
): Execution {
  const { clock, logs, machines, isClosing } = parts;
  const log = executionLog(logs, machine.logging, { arn, machineName: machine.name, startMs });
  return {
    arn,
    name,
    identity: { arn: machine.arn, name: machine.name, roleArn: begun.roleArn, logging: machine.logging },
    machine: machines.machine(begun.definitionId),
    input: payloadFromText(begun.input),
    startMs,
    interruption: findInterruption(events),
    controller: new AbortController(),
    history: new History(
      () => clock.now(),
      (event) => {
        if (isClosing()) return;
        file.event(event);
        log(event);
      },
      events,
    ),
  };
}

/** @throws {AwsError} `InvalidExecutionInput`, `ValidationException` */
export function readInput(input: string): Payload {
  if (!isWithinLimit(input))
    throw validationException("Value at 'input' failed to satisfy constraint: at most 262144 bytes of UTF-8");
  try {
    return payloadFromText(input);
  } catch (error) {
    throw new AwsError('InvalidExecutionInput', `Invalid State Machine Execution Input: '${String(error)}'`);
  }
}
