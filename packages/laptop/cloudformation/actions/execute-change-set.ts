import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { onStack } from '../asked-of-role.ts';
import { executeChangeSet, findChangeSet } from '../change-sets.ts';
import type { CloudFormationDeps } from '../deployment-input.ts';

/** Begins what a change set says. */
export const executeChangeSetAction = (deps: CloudFormationDeps) =>
  action('ExecuteChangeSet', {
    input: z.strictObject({
      ChangeSetName: z.string(),
      StackName: z.string().optional(),
      ClientRequestToken: z.string().optional(),
      DisableRollback: z.literal(false, 'is not emulated by the local stack').optional(),
    }),
    permissions: onStack(deps.stacks),
    run: (input, { accessKeyId }) => {
      executeChangeSet(findChangeSet(deps.stacks.book, input), deps, accessKeyId);
      return {};
    },
  });
