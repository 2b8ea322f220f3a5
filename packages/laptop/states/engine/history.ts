import type { Json } from '../json.ts';
import { errorName, StatesError } from '../states-error.ts';

/** One event as `GetExecutionHistory` gives it; `timestamp` in seconds. */
export interface HistoryEvent {
  readonly id: number;
  readonly previousEventId: number;
  readonly timestamp: number;
  readonly type: string;
  readonly [details: `${string}EventDetails`]: EventDetails | undefined;
}

/** Details of a history event, under the names of the API. */
export interface EventDetails {
  readonly [key: string]: Json | undefined;
}

const MAX_EVENTS = 25_000;

/** The history is full: the whole execution fails, and nothing can catch it. */
export class HistoryFull extends StatesError {
  constructor() {
    super(errorName.runtime, `The execution reached the maximum number of history events (${MAX_EVENTS}).`);
  }
}

/** The numbered events of one execution, passed to listeners as they happen. */
export class History {
  readonly events: HistoryEvent[];
  private readonly nowMs: () => number;
  private readonly tell: (event: HistoryEvent) => void;

  constructor(
    nowMs: () => number,
    tell: (event: HistoryEvent) => void = () => {},
    earlier: readonly HistoryEvent[] = [],
  ) {
    this.events = [...earlier];
    this.nowMs = nowMs;
    this.tell = tell;
  }

  /**
   * Returns the new event's id. The last place is kept for the execution's final event.
   *
   * @throws {HistoryFull}
   */
  add(type: string, details: EventDetails | undefined, previousEventId: number, isLast = false): number {
    if (this.events.length >= MAX_EVENTS - (isLast ? 0 : 1)) throw new HistoryFull();
    const id = this.events.length + 1;
    const base = { timestamp: this.nowMs() / 1000, type, id, previousEventId };
    const event: HistoryEvent = details === undefined ? base : { ...base, [detailsKey(type)]: details };
    this.events.push(event);
    this.tell(event);
    return id;
  }
}

function detailsKey(type: string): `${string}EventDetails` {
  if (type.endsWith('StateEntered')) return 'stateEnteredEventDetails';
  if (type.endsWith('StateExited')) return 'stateExitedEventDetails';
  return `${type.charAt(0).toLowerCase()}${type.slice(1)}EventDetails`;
}

const DATA = new Set([
  'input',
  'output',
  'parameters',
  'cause',
  'assignedVariables',
  'inputDetails',
  'outputDetails',
  'assignedVariablesDetails',
]);

/** The event without inputs, outputs and causes: `includeExecutionData` false. */
export function withoutData(event: HistoryEvent): HistoryEvent {
  const stripped = Object.entries(event).map(([key, value]) => [
    key,
    typeof value === 'object' ? kept(value) : value,
  ]);
  return { ...event, ...Object.fromEntries(stripped) };
}

function kept(details: EventDetails): EventDetails {
  return Object.fromEntries(Object.entries(details).filter(([name]) => !DATA.has(name)));
}
