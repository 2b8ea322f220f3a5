import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { AwsError } from '../../kernel/aws-error.ts';
import { stateMachineArn } from '../arn.ts';
import { Logging } from '../definition/logging.ts';
import { checkDefinition } from '../definition/parse-definition.ts';
import { checkName } from '../name.ts';
import type { StoredMachine } from '../store/machines.ts';
import { checkRole, checkRoleArn } from './check-role.ts';
import type { StatesDeps } from './deps.ts';
import { checkLogging, MachineSettings, Tags } from './machine-input.ts';

/** The same call again gives the same machine; the same name with another content is refused. */
export const createStateMachine = (deps: StatesDeps) =>
  action('CreateStateMachine', {
    input: z.strictObject({
      name: z.string(),
      definition: z.string().min(1).max(1_048_576),
      roleArn: z.string().min(1),
      type: z.enum(['STANDARD', 'EXPRESS']).default('STANDARD'),
      tags: Tags.optional(),
      ...MachineSettings,
    }),
    run: async (input) => {
      checkName(input.name);
      if (input.type === 'EXPRESS') {
        throw new AwsError(
          'StateMachineTypeNotSupported',
          'The local stack runs STANDARD state machines only.',
        );
      }
      checkRoleArn(input.roleArn);
      checkDefinition(input.definition);
      const logging = input.loggingConfiguration ?? Logging.parse({});
      checkLogging(logging);
      const { clock, machines, site, chance } = deps;
      const arn = stateMachineArn(site, input.name);
      const { roleArn, definition } = input;
      const isTraced = input.tracingConfiguration?.enabled ?? false;
      checkRole(deps, { arn, roleArn, logging, isTraced });
      const definitionId = machines.keepDefinition(definition);
      const known = machines.get(arn);
      if (known) {
        const { createdMs } = known;
        const same = known.definitionId === definitionId && known.isTraced === isTraced;
        if (same && JSON.stringify(known.logging) === JSON.stringify(logging)) {
          return { stateMachineArn: arn, creationDate: createdMs / 1000 };
        }
        throw new AwsError('StateMachineAlreadyExists', `State Machine Already Exists: '${arn}'`);
      }
      const createdMs = clock.now();
      const machine: StoredMachine = {
        arn,
        name: input.name,
        roleArn: input.roleArn,
        definitionId,
        logging,
        isTraced,
        tags: Object.fromEntries((input.tags ?? []).map(({ key, value }) => [key, value])),
        createdMs,
        updatedMs: createdMs,
        revisionId: chance.uuid(),
      };
      machines.save(machine);
      return { stateMachineArn: arn, creationDate: createdMs / 1000 };
    },
  });
