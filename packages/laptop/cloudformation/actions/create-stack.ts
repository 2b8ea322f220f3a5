import * as z from 'zod';
import { AwsError } from '../../kernel/aws-error.ts';
import type { QueryActions } from '../../kernel/query-service.ts';
import type { CloudFormationDeps } from '../deployment-input.ts';
import { DeploymentInput, toDeployment } from '../deployment-input.ts';
import { newStack } from '../stacks.ts';

const Input = DeploymentInput.extend({
  OnFailure: z.literal('ROLLBACK', 'is not emulated by the local stack').optional(),
  DisableRollback: z.literal(false, 'is not emulated by the local stack').optional(),
  EnableTerminationProtection: z.literal(false, 'is not emulated by the local stack').optional(),
}).strict();

/** Begins a stack without a change set. */
export function createStackAction(deps: CloudFormationDeps): QueryActions[string] {
  return async (given, { accessKeyId: caller }) => {
    const input = Input.parse(given);
    const { stacks } = deps;
    if (stacks.book.get(input.StackName))
      throw new AwsError('AlreadyExistsException', `Stack [${input.StackName}] already exists`);
    const deployment = await toDeployment(input, undefined, deps);
    const earlier = newStack(input.StackName, stacks);
    const plan = stacks.plan(deployment, earlier.stackId);
    void stacks.begin(plan, deployment, { type: 'CREATE', earlier, caller });
    return { StackId: earlier.stackId };
  };
}
