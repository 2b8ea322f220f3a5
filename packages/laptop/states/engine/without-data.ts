import type { EventDetails, HistoryEvent } from './history.ts';

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
