import {
  DescribeStateMachineCommand,
  ListExecutionsCommand,
  ListMapRunsCommand,
  SFNClient,
} from '@aws-sdk/client-sfn';
import { required } from '../calls/answer.ts';
import { withErrorNames } from '../calls/aws-error.ts';

/** History of state machines, which Step Functions keeps for 90 days. */
export interface MachineHistory {
  /** Text of the definition in Amazon States Language. */
  definition(stateMachineArn: string): Promise<string>;
  /** ARNs of the newest executions of this status; `owner` is a state machine, or a Map run for its children. */
  newest(
    owner: { readonly stateMachineArn: string } | { readonly mapRunArn: string },
    status: 'FAILED' | 'TIMED_OUT' | 'SUCCEEDED',
    most: number,
  ): Promise<readonly string[]>;
  /** ARNs of the Map runs of an execution. */
  mapRuns(executionArn: string): Promise<readonly string[]>;
}

/** Step Functions of the account and region that the environment names. */
export function machineHistory(): MachineHistory {
  const client = new SFNClient();
  return {
    async definition(stateMachineArn) {
      const answer = await withErrorNames(client.send(new DescribeStateMachineCommand({ stateMachineArn })));
      return required(answer.definition, 'definition');
    },
    async newest(owner, statusFilter, maxResults) {
      const answer = await withErrorNames(
        client.send(new ListExecutionsCommand({ ...owner, statusFilter, maxResults })),
      );
      return (answer.executions ?? []).map(({ executionArn }) => required(executionArn, 'executionArn'));
    },
    async mapRuns(executionArn) {
      const answer = await withErrorNames(client.send(new ListMapRunsCommand({ executionArn })));
      return (answer.mapRuns ?? []).map(({ mapRunArn }) => required(mapRunArn, 'mapRunArn'));
    },
  };
}
