import * as z from 'zod';
import { DefaultBus, requireDefaultBus } from './default-bus.ts';

/** The rule's name, for calls that take little else. */
export const RuleName = z
  .strictObject({ Name: z.string(), EventBusName: DefaultBus, Force: z.boolean().optional() })
  .transform(({ Name, EventBusName }) => {
    requireDefaultBus(EventBusName);
    return Name;
  });
