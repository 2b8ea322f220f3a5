import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { AwsError } from '../../kernel/aws-error.ts';
import { checkName, stateMachineArn } from '../arn.ts';
import { onMachine } from '../asked-of-role.ts';
import { Logging } from '../definition/logging.ts';
import { checkDefinition } from '../definition/parse-definition.ts';
import type { StoredMachine } from '../store/machines.ts';
import type { StatesDeps } from './deps.ts';
import {
  checkLogging,
  checkRole,
  checkRoleArn,
  MachineSettings,
  requireMachine,
  Tags,
} from './machine-input.ts';
import { pageOf, Paging } from './page.ts';

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
      if (input.type === 'EXPRESS')
        throw new AwsError(
          'StateMachineTypeNotSupported',
          'The local stack runs STANDARD state machines only.',
        );
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
        if (same && JSON.stringify(known.logging) === JSON.stringify(logging))
          return { stateMachineArn: arn, creationDate: createdMs / 1000 };
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

/** Calls on state machines. */
export const machineActions = (deps: StatesDeps) => [
  createStateMachine(deps),
  updateStateMachine(deps),
  /** The revision that executions start with now. */
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
  }),
  /** Machines, sorted by name. */
  action('ListStateMachines', {
    input: z.strictObject(Paging),
    run: (input) => {
      const { page, nextToken } = pageOf(deps.machines.all(), ({ arn }) => arn, input);
      const stateMachines = page.map(({ arn, name, createdMs }) => ({
        stateMachineArn: arn,
        name,
        type: 'STANDARD',
        creationDate: createdMs / 1000,
      }));
      return { stateMachines, nextToken };
    },
  }),
  /** Idempotent. Running executions go on to their end. */
  action('DeleteStateMachine', {
    input: z.strictObject({ stateMachineArn: z.string() }),
    run: (input) => {
      deps.machines.delete(input.stateMachineArn);
      return {};
    },
  }),
  /** Tags of a machine: nothing else has tags here. */
  action('ListTagsForResource', {
    input: z.strictObject({ resourceArn: z.string() }),
    run: (input) => {
      const machine = deps.machines.get(input.resourceArn);
      if (!machine) throw new AwsError('ResourceNotFound', `Resource not found: '${input.resourceArn}'`);
      return { tags: Object.entries(machine.tags).map(([key, value]) => ({ key, value })) };
    },
  }),
];
