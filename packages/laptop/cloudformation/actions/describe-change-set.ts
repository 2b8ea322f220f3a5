import * as z from 'zod';
import type { QueryActions } from '../../kernel/query-service.ts';
import type { ChangeSetRecord } from '../change-set-record.ts';
import { findChangeSet } from '../change-sets.ts';
import { shownParameters } from '../shown-parameters.ts';
import type { Stacks } from '../stacks.ts';

const Input = z.strictObject({ ChangeSetName: z.string(), StackName: z.string().optional() });

/** A change set with its changes. */
export function describeChangeSet({ book }: Stacks): QueryActions[string] {
  return (input) => {
    const record = findChangeSet(book, Input.parse(input));
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
  };
}

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
