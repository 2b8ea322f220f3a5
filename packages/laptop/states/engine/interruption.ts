import * as z from 'zod';
import { type Json, parseJson } from '../json.ts';
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
  /** The map run that the interrupted attempt of a Distributed Map had begun, and that the next one joins. */
  readonly mapRunArn: string | undefined;
}

const Entered = z.object({ name: z.string(), input: z.string() });
const Exited = z.object({ assignedVariables: z.record(z.string(), z.string()).default({}) });
const RunStarted = z.object({ mapRunArn: z.string() });

/**
 * Finds where an execution stood, using only its history. A state that was left while the next had not been entered is entered
 * again.
 *
 * @returns undefined if no state had been entered
 */
export function findInterruption(events: readonly HistoryEvent[]): Interruption | undefined {
  const variables: Record<string, Json> = {};
  let assigned: Readonly<Record<string, string>> = {};
  let at: Interruption | undefined;
  for (const event of events) {
    const details = detailsOf(event);
    if (event.type.endsWith('StateEntered')) {
      const { name, input } = Entered.parse(details);
      for (const [key, text] of Object.entries(assigned)) variables[key] = parseJson(text);
      assigned = {};
      at = {
        stateName: name,
        input,
        enteredEventId: event.id,
        enteredMs: Math.round(event.timestamp * 1000),
        variables: { ...variables },
        mapRunArn: undefined,
      };
    } else if (event.type.endsWith('StateExited')) {
      if (Entered.pick({ name: true }).parse(details).name === at?.stateName)
        assigned = Exited.parse(details).assignedVariables;
    } else if (at !== undefined && event.type === 'MapRunStarted') {
      at = { ...at, mapRunArn: RunStarted.parse(details).mapRunArn };
    } else if (at !== undefined && event.type === 'MapRunFailed') {
      at = { ...at, mapRunArn: undefined };
    }
  }
  return at;
}

function detailsOf(event: HistoryEvent): EventDetails | undefined {
  return Object.entries(event).find((entry): entry is [`${string}EventDetails`, EventDetails] =>
    entry[0].endsWith('EventDetails'),
  )?.[1];
}
