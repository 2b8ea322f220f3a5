import * as z from 'zod';
import type { Block, State } from '../definition/machine.ts';
import { isJsonObject, type Json, parseJson } from '../json.ts';
import type { EventDetails, HistoryEvent } from './history.ts';

/** Where an execution stood when the stack ended: the state that its first line of states had entered and not left. */
export interface Interruption {
  readonly stateName: string;
  /** The state's input, as JSON. */
  readonly input: string;
  readonly enteredEventId: number;
  /** Milliseconds since the epoch. */
  readonly enteredMs: number;
  /** Variables of the machine's own scope when the state was entered. */
  readonly variables: Readonly<Record<string, Json>>;
  /** The attempt that was under way, where what it began can be joined. */
  readonly begun: Begun;
}

/** What an interrupted attempt had begun outside of its execution. */
export interface Begun {
  /** Of a Distributed Map. */
  readonly mapRunArn?: string;
  /** The nested execution that a `.sync` Task waits for. */
  readonly executionArn?: string;
}

const Entered = z.object({ name: z.string(), input: z.string() });
const Exited = z.object({ assignedVariables: z.record(z.string(), z.string()).default({}) });
const RunStarted = z.object({ mapRunArn: z.string() });
const Submitted = z.object({ output: z.string() });

/** What ends an attempt: what it had begun is not joined by the next one. */
const ATTEMPT_ENDS = new Set(['MapRunFailed', 'TaskFailed', 'TaskTimedOut']);

/**
 * Finds where an execution stood, from its history alone. States inside of a Parallel or an inline Map are not looked at: the
 * state around them is entered again. A state that was left while the next had not been entered is entered again too.
 *
 * @returns undefined where no state had been entered
 */
export function findInterruption(block: Block, events: readonly HistoryEvent[]): Interruption | undefined {
  const variables: Record<string, Json> = {};
  let assigned: Readonly<Record<string, string>> = {};
  let at: Interruption | undefined;
  for (const event of events) {
    const details = detailsOf(event);
    if (event.type.endsWith('StateEntered')) {
      const { name, input } = Entered.parse(details);
      if (!block.states.has(name)) continue;
      for (const [key, text] of Object.entries(assigned)) variables[key] = parseJson(text);
      assigned = {};
      at = {
        stateName: name,
        input,
        enteredEventId: event.id,
        enteredMs: Math.round(event.timestamp * 1000),
        variables: { ...variables },
        begun: {},
      };
    } else if (event.type.endsWith('StateExited')) {
      if (Entered.pick({ name: true }).parse(details).name === at?.stateName)
        assigned = Exited.parse(details).assignedVariables;
    } else if (at !== undefined && hasOneAttempt(block.states.get(at.stateName))) {
      at = { ...at, begun: begunBy(event.type, details, at.begun) };
    }
  }
  return at;
}

/** Its events are of one attempt after the other, and not of states inside. */
function hasOneAttempt(state: State | undefined): boolean {
  return state?.Type === 'Task' || (state?.Type === 'Map' && state.mode === 'DISTRIBUTED');
}

function begunBy(type: string, details: EventDetails | undefined, before: Begun): Begun {
  if (ATTEMPT_ENDS.has(type)) return {};
  if (type === 'MapRunStarted') return { mapRunArn: RunStarted.parse(details).mapRunArn };
  if (type !== 'TaskSubmitted') return before;
  const output = parseJson(Submitted.parse(details).output);
  const executionArn = isJsonObject(output) ? output['ExecutionArn'] : undefined;
  return typeof executionArn === 'string' ? { executionArn } : {};
}

function detailsOf(event: HistoryEvent): EventDetails | undefined {
  return Object.entries(event).find((entry): entry is [`${string}EventDetails`, EventDetails] =>
    entry[0].endsWith('EventDetails'),
  )?.[1];
}
