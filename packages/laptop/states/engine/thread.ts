import type { Json, JsonObject } from '../json.ts';
import { isWithinLimit } from '../payload.ts';
import { errorName, StatesError } from '../states-error.ts';
import type { Execution } from './execution.ts';
import { type EventDetails, HistoryFull } from './history.ts';

/** Bytes that all variables of one scope may have together. */
const SCOPE_LIMIT_BYTES = 10 * 1024 * 1024;

/** Variables of one execution, or of one child of a Distributed Map, which sees none of those around it. */
export class Scope {
  private current: Readonly<Record<string, Json>> = {};
  private readonly sizes = new Map<string, number>();

  /** Every variable that an expression here can see. */
  values(): Readonly<Record<string, Json>> {
    return this.current;
  }

  /** @throws {StatesError} `States.DataLimitExceeded` */
  assign(values: Readonly<Record<string, Json>>): void {
    for (const [name, value] of Object.entries(values)) {
      const text = JSON.stringify(value);
      if (!isWithinLimit(text))
        throw new StatesError(errorName.dataLimitExceeded, `Variable '${name}' is larger than 256 KiB.`);
      this.sizes.set(name, Buffer.byteLength(text));
    }
    const total = this.sizes.values().reduce((sum, size) => sum + size, 0);
    if (total > SCOPE_LIMIT_BYTES)
      throw new StatesError(
        errorName.dataLimitExceeded,
        `The variables of the scope have ${total} bytes, at most ${SCOPE_LIMIT_BYTES}.`,
      );
    this.current = { ...this.current, ...values };
  }
}

/** A sequence of states: an execution's, or a Distributed Map child's. */
export class Thread {
  readonly execution: Execution;
  readonly scope: Scope;
  readonly signal: AbortSignal;
  lastEventId: number;

  constructor(
    execution: Execution,
    place: {
      readonly scope: Scope;
      readonly signal: AbortSignal;
      readonly lastEventId: number;
    },
  ) {
    this.execution = execution;
    this.scope = place.scope;
    this.signal = place.signal;
    this.lastEventId = place.lastEventId;
  }

  /** Adds an event after this thread's last one. A full history fails the whole execution. */
  log(type: string, details?: EventDetails): number {
    try {
      this.lastEventId = this.execution.history.add(type, details, this.lastEventId);
      return this.lastEventId;
    } catch (error) {
      if (error instanceof HistoryFull) this.execution.controller.abort(error);
      throw error;
    }
  }
}

/** One visit of a thread to a state. */
export interface Visit {
  readonly thread: Thread;
  readonly stateName: string;
  readonly input: Json;
  readonly inputText: string;
  readonly enteredEventId: number;
  readonly enteredTime: string;
  retryCount: number;
  /** The map run that the attempt had begun which the stack's end interrupted; the next attempt joins it, later ones do not. */
  mapRunArn: string | undefined;
}

/** `$states.context` of a visit. */
export function contextOf(visit: Visit, extra: JsonObject = {}): JsonObject {
  const { execution } = visit.thread;
  return {
    Execution: {
      Id: execution.arn,
      Input: execution.input.value,
      Name: execution.name,
      RoleArn: execution.identity.roleArn,
      StartTime: new Date(execution.startMs).toISOString(),
      RedriveCount: 0,
    },
    StateMachine: { Id: execution.identity.arn, Name: execution.identity.name },
    State: { Name: visit.stateName, EnteredTime: visit.enteredTime, RetryCount: visit.retryCount },
    ...extra,
  };
}
