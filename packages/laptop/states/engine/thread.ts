import type { Json, JsonObject } from '../json.ts';
import type { Execution } from './execution.ts';
import { type EventDetails, HistoryFull } from './history.ts';
import type { Scope } from './scope.ts';

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
