import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import type { StatesDeps } from './deps.ts';

/** The machine as it was when the execution started. */
export const describeStateMachineForExecution = ({ executions, machines }: StatesDeps) =>
  action('DescribeStateMachineForExecution', {
    input: z.strictObject({
      executionArn: z.string(),
      includedData: z.enum(['ALL_DATA', 'METADATA_ONLY']).optional(),
    }),
    run: ({ executionArn, includedData }) => {
      const execution = executions.describe(executionArn);
      const machine = machines.get(execution.stateMachineArn);
      return {
        stateMachineArn: execution.stateMachineArn,
        name: execution.stateMachineArn.split(':').at(-1),
        ...(includedData === 'METADATA_ONLY'
          ? {}
          : { definition: machines.definition(execution.definitionId) }),
        roleArn: execution.roleArn,
        updateDate: (machine?.updatedMs ?? execution.startMs) / 1000,
        loggingConfiguration: machine?.logging,
        tracingConfiguration: { enabled: machine?.isTraced ?? false },
        revisionId: execution.revisionId,
      };
    },
  });
