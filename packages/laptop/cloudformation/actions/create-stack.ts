import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { AwsError } from '../../kernel/aws-error.ts';
import { onStack } from '../asked-of-role.ts';
import { type CloudFormationDeps, DeploymentInput, toDeployment } from '../deployment-input.ts';
import { newStack } from '../stacks.ts';

/** Begins a stack without a change set. */
export const createStackAction = (deps: CloudFormationDeps) =>
  action('CreateStack', {
    input: DeploymentInput.extend({
      OnFailure: z.literal('ROLLBACK', 'is not emulated by the local stack').optional(),
      DisableRollback: z.literal(false, 'is not emulated by the local stack').optional(),
      EnableTerminationProtection: z.literal(false, 'is not emulated by the local stack').optional(),
    }).strict(),
    permissions: onStack(deps.stacks),
    run: async (input, { accessKeyId: caller }) => {
      const { stacks } = deps;
      if (stacks.book.get(input.StackName))
        throw new AwsError('AlreadyExistsException', `Stack [${input.StackName}] already exists`);
      const deployment = await toDeployment(input, undefined, deps);
      const earlier = newStack(input.StackName, stacks);
      const plan = stacks.plan(deployment, earlier.stackId);
      void stacks.begin(plan, deployment, { type: 'CREATE', earlier, caller });
      return { StackId: earlier.stackId };
    },
  });
