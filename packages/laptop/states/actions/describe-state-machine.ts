import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { onMachine } from '../asked-of-role.ts';
import type { StatesDeps } from './deps.ts';
import { requireMachine } from './machine-input.ts';

/** The revision that executions start with now. */
export const describeStateMachine = (deps: StatesDeps) =>
  action('DescribeStateMachine', {
    input: z.strictObject({
      stateMachineArn: z.string(),
      includedData: z.enum(['ALL_DATA', 'METADATA_ONLY']).optional(),
    }),
    permissions: onMachine,
    run: ({ stateMachineArn, includedData }) => {
      const machine = requireMachine(deps, stateMachineArn);
      return {
        stateMachineArn: machine.arn,
        name: machine.name,
        status: 'ACTIVE',
        ...(includedData === 'METADATA_ONLY'
          ? {}
          : { definition: deps.machines.definition(machine.definitionId) }),
        roleArn: machine.roleArn,
        type: 'STANDARD',
        creationDate: machine.createdMs / 1000,
        loggingConfiguration: machine.logging,
        tracingConfiguration: { enabled: machine.isTraced },
        encryptionConfiguration: { type: 'AWS_OWNED_KEY' },
        revisionId: machine.revisionId,
      };
    },
  });
