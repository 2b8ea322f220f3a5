import * as z from 'zod';
import type { AskedOfRole } from '../kernel/action.ts';

const OnMachine = z.looseObject({ stateMachineArn: z.string().catch('') });
const OnExecution = z.looseObject({ executionArn: z.string().catch('') });

/** Permission of calls about a machine, as the Service Authorization Reference lists it. */
export const onMachine: AskedOfRole = (input, action) => [
  { action: `states:${action}`, resource: OnMachine.parse(input).stateMachineArn },
];

/** Permission of calls about an execution. */
export const onExecution: AskedOfRole = (input, action) => [
  { action: `states:${action}`, resource: OnExecution.parse(input).executionArn },
];
