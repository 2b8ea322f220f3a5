import * as z from 'zod';
import { DefaultBus, requireDefaultBus } from './default-bus.ts';

const Input = z.strictObject({ Name: z.string(), EventBusName: DefaultBus, Force: z.boolean().optional() });

/** The rule's name in calls that take little else. */
export function parseRuleName(input: unknown): string {
  const { Name, EventBusName } = Input.parse(input);
  requireDefaultBus(EventBusName);
  return Name;
}
