import type { Json, JsonObject } from '../json.ts';
import type { Execution } from './execution.ts';
import { type EventDetails, HistoryFull } from './history.ts';
import type { Begun } from './interruption.ts';
import type { Scope } from './scope.ts';

/** One line of states running one after the other: the machine itself, a branch, or an iteration. */
export class Thread {
  readonly execution: Execution;
  readonly scope: Scope;
  readonly signal: AbortSignal;
  /** `Map` of the context object, inside a Map. */
  readonly map: JsonObject | undefined;
  lastEventId: number;

  constructor(
    execution: Execution,
    place: {
      readonly scope: Scope;
      readonly signal: AbortSignal;
      readonly map?: JsonObject | undefined;
      readonly lastEventId?: number;
    },
  ) {
    this.execution = execution;
    this.scope = place.scope;
    this.signal = place.signal;
    this.map = place.map;
    this.lastEventId = place.lastEventId ?? 0;
  }

  /** Adds an event after this thread's last one. A full history ends the whole execution. */
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
  /** What the attempt that the stack's end interrupted had begun; the next attempt joins it. */
  begun: Begun;
}

/** What the attempt that begins now shall join. Later attempts begin from nothing. */
export function takeBegun(visit: Visit): Begun {
  const { begun } = visit;
  visit.begun = {};
  return begun;
}

/** `$states.context` of a visit. */
export function contextOf(visit: Visit, extra: JsonObject = {}): JsonObject {
  const { execution, map } = visit.thread;
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
    ...(map ? { Map: map } : {}),
    ...extra,
  };
}
