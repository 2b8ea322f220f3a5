import * as z from 'zod';
import type { QueryActions } from '../../kernel/query-service.ts';
import { executeChangeSet, findChangeSet } from '../change-sets.ts';
import type { CloudFormationDeps } from '../deployment-input.ts';

const Input = z.strictObject({
  ChangeSetName: z.string(),
  StackName: z.string().optional(),
  ClientRequestToken: z.string().optional(),
  DisableRollback: z.literal(false, 'is not emulated by the local stack').optional(),
});

/** Begins what a change set says. */
export function executeChangeSetAction(deps: CloudFormationDeps): QueryActions[string] {
  return (input, { accessKeyId }) => {
    executeChangeSet(findChangeSet(deps.stacks.book, Input.parse(input)), deps, accessKeyId);
    return {};
  };
}
