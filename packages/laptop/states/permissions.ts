import * as z from 'zod';
import type { ActionPermissions } from '../kernel/service.ts';

const OnMachine = z.looseObject({ stateMachineArn: z.string().catch('') });
const OnExecution = z.looseObject({ executionArn: z.string().catch('') });

const onMachine = (action: string) => (input: unknown) => [
  { action: `states:${action}`, resource: OnMachine.parse(input).stateMachineArn },
];
const onExecution = (action: string) => (input: unknown) => [
  { action: `states:${action}`, resource: OnExecution.parse(input).executionArn },
];

/** What calls ask of a role, as the Service Authorization Reference lists it. */
export const statesPermissions: ActionPermissions = {
  StartExecution: onMachine('StartExecution'),
  ListExecutions: onMachine('ListExecutions'),
  DescribeStateMachine: onMachine('DescribeStateMachine'),
  DescribeExecution: onExecution('DescribeExecution'),
  GetExecutionHistory: onExecution('GetExecutionHistory'),
  StopExecution: onExecution('StopExecution'),
};
