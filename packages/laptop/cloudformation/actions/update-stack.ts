import { isDeepStrictEqual } from 'node:util';
import { action } from '../../kernel/action.ts';
import { validationError } from '../../kernel/aws-error.ts';
import { onStack } from '../asked-of-role.ts';
import { type CloudFormationDeps, DeploymentInput, toDeployment } from '../deployment-input.ts';
import { changesOutputs, resourceChanges } from '../resource-changes.ts';
import { mustBeDeleted } from '../stack-record.ts';
import { cannotBeUpdated } from '../stacks.ts';

/** Begins an update without a change set. */
export const updateStackAction = (deps: CloudFormationDeps) =>
  action('UpdateStack', {
    input: DeploymentInput.strict(),
    permissions: onStack(deps.stacks),
    run: async (input, { accessKeyId: caller }) => {
      const { stacks } = deps;
      const earlier = stacks.book.get(input.StackName);
      if (!earlier) throw validationError(`Stack [${input.StackName}] does not exist`);
      const { status } = earlier;
      if (status.endsWith('_IN_PROGRESS') || mustBeDeleted(status) || status === 'UPDATE_ROLLBACK_FAILED')
        throw cannotBeUpdated(earlier);
      const deployment = await toDeployment(input, earlier, deps);
      const plan = stacks.plan(deployment, earlier.stackId);
      const isSame =
        resourceChanges(plan, earlier).length === 0 &&
        !changesOutputs(plan, earlier) &&
        isDeepStrictEqual(deployment.tags, earlier.tags);
      if (isSame) throw validationError('No updates are to be performed.');
      void stacks.begin(plan, deployment, { type: 'UPDATE', earlier, caller });
      return { StackId: earlier.stackId };
    },
  });
