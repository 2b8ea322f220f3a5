import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { AwsError } from '../../kernel/aws-error.ts';
import { checkDefinition } from '../definition/parse-definition.ts';
import { checkRole, checkRoleArn } from './check-role.ts';
import type { StatesDeps } from './deps.ts';
import { checkLogging, MachineSettings, requireMachine } from './machine-input.ts';

/** Running executions go on with the definition they were started with. */
export const updateStateMachine = (deps: StatesDeps) =>
  action('UpdateStateMachine', {
    input: z.strictObject({
      stateMachineArn: z.string(),
      definition: z.string().min(1).max(1_048_576).optional(),
      roleArn: z.string().min(1).optional(),
      ...MachineSettings,
    }),
    run: async (input) => {
      const { stateMachineArn: _, ...changes } = input;
      if (Object.values(changes).every((change) => change === undefined))
        throw new AwsError(
          'MissingRequiredParameter',
          'Either the definition, the role ARN, the LoggingConfiguration, or the TracingConfiguration must be specified',
        );
      if (input.roleArn !== undefined) checkRoleArn(input.roleArn);
      if (input.definition !== undefined) checkDefinition(input.definition);
      if (input.loggingConfiguration) checkLogging(input.loggingConfiguration);
      const { machines, clock, chance } = deps;
      const machine = requireMachine(deps, input.stateMachineArn);
      const roleArn = input.roleArn ?? machine.roleArn;
      const logging = input.loggingConfiguration ?? machine.logging;
      const isTraced = input.tracingConfiguration?.enabled ?? machine.isTraced;
      checkRole(deps, { arn: machine.arn, roleArn, logging, isTraced });
      const updatedMs = clock.now();
      const revisionId = chance.uuid();
      machines.save({
        ...machine,
        definitionId:
          input.definition === undefined ? machine.definitionId : machines.keepDefinition(input.definition),
        roleArn,
        logging,
        isTraced,
        updatedMs,
        revisionId,
      });
      return { updateDate: updatedMs / 1000, revisionId };
    },
  });
