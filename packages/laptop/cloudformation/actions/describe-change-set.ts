import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { onStack } from '../asked-of-role.ts';
import type { ChangeSetRecord } from '../change-set-record.ts';
import { findChangeSet } from '../change-sets.ts';
import { shownParameters } from '../shown-parameters.ts';
import type { Stacks } from '../stacks.ts';

/** A change set with its changes. */
export const describeChangeSet = (stacks: Stacks) =>
  action('DescribeChangeSet', {
    input: z.strictObject({ ChangeSetName: z.string(), StackName: z.string().optional() }),
    permissions: onStack(stacks),
    run: (input) => {
      const record = findChangeSet(stacks.book, input);
      return {
        ChangeSetName: record.changeSetName,
        ChangeSetId: record.changeSetId,
        StackId: record.stackId,
        StackName: record.stackName,
        Description: record.description,
        Parameters: shownParameters(record),
        CreationTime: new Date(record.createdAtMs),
        ExecutionStatus: record.executionStatus,
        Status: record.status,
        StatusReason: record.reason,
        NotificationARNs: [],
        RollbackConfiguration: {},
        Capabilities: record.capabilities,
        Tags: record.tags,
        Changes: record.changes.map((change) => ({ Type: 'Resource', ResourceChange: toChange(change) })),
        IncludeNestedStacks: false,
      };
    },
  });

function toChange({
  action,
  logicalId,
  physicalId,
  type,
  parts,
  policy = 'Delete',
}: ChangeSetRecord['changes'][number]) {
  const isReplaced = parts.some(({ replaces }) => replaces);
  return {
    PolicyAction: action === 'Remove' ? (policy === 'Delete' ? 'Delete' : 'Retain') : undefined,
    Action: action,
    LogicalResourceId: logicalId,
    PhysicalResourceId: physicalId,
    ResourceType: type,
    Replacement: action !== 'Modify' ? undefined : isReplaced ? 'True' : 'False',
    Scope: [...new Set(parts.map(({ name, isProperty }) => (isProperty ? 'Properties' : name)))],
    Details: parts.map(({ name, isProperty, replaces, source }) => ({
      Target: {
        Attribute: isProperty ? 'Properties' : name,
        Name: isProperty ? name : undefined,
        RequiresRecreation: replaces ? 'Always' : 'Never',
      },
      Evaluation: 'Static',
      ChangeSource: source,
    })),
  };
}
