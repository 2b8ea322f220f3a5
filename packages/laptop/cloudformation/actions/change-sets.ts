import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { AwsError, validationError } from '../../kernel/aws-error.ts';
import { onStack } from '../asked-of-role.ts';
import type { ChangeSetRecord } from '../change-set-record.ts';
import { createChangeSet, executeChangeSet, findChangeSet } from '../change-sets.ts';
import { type CloudFormationDeps, DeploymentInput } from '../deployment-input.ts';
import { shownParameters } from '../shown-parameters.ts';

const ResourceToImport = z.strictObject({
  ResourceType: z.string(),
  LogicalResourceId: z.string(),
  ResourceIdentifier: z.record(z.string(), z.string()),
});

/** Calls on change sets. */
export const changeSetActions = (deps: CloudFormationDeps) => [
  /** Creates a change set. A new stack starts in REVIEW_IN_PROGRESS. */
  action('CreateChangeSet', {
    input: DeploymentInput.extend({
      ChangeSetName: z
        .string()
        .max(128)
        .regex(/^[a-zA-Z][-a-zA-Z0-9]*$/),
      ChangeSetType: z.enum(['CREATE', 'UPDATE', 'IMPORT']).default('UPDATE'),
      Description: z.string().optional(),
      ResourcesToImport: z.array(ResourceToImport).default([]),
      IncludeNestedStacks: z.literal(false, 'nested stacks are not emulated by the local stack').optional(),
    }).strict(),
    permissions: onStack(deps.stacks),
    run: async ({
      ChangeSetName,
      ChangeSetType,
      Description,
      ResourcesToImport,
      IncludeNestedStacks: _,
      ...input
    }) => {
      const imports = ResourcesToImport.map(({ LogicalResourceId, ResourceType, ResourceIdentifier }) => ({
        logicalId: LogicalResourceId,
        type: ResourceType,
        identifier: ResourceIdentifier,
      }));
      const { changeSetId, stackId } = await createChangeSet(
        {
          changeSetName: ChangeSetName,
          type: ChangeSetType,
          imports,
          ...(Description !== undefined && { description: Description }),
        },
        input,
        deps,
      );
      return { Id: changeSetId, StackId: stackId };
    },
  }),
  /** A change set with its changes. */
  action('DescribeChangeSet', {
    input: z.strictObject({ ChangeSetName: z.string(), StackName: z.string().optional() }),
    permissions: onStack(deps.stacks),
    run: (input) => {
      const record = findChangeSet(deps.stacks.book, input);
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
  }),
  /** Begins what a change set says. */
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
  }),
  /** The change sets of a stack. */
  action('ListChangeSets', {
    input: z.strictObject({ StackName: z.string() }),
    permissions: onStack(deps.stacks),
    run: ({ StackName }) => {
      const stack = deps.stacks.book.get(StackName);
      if (!stack) throw validationError(`Stack [${StackName}] does not exist`);
      return {
        Summaries: deps.stacks.book.changeSets.of(stack.stackId).map((one) => ({
          StackId: one.stackId,
          StackName: one.stackName,
          ChangeSetId: one.changeSetId,
          ChangeSetName: one.changeSetName,
          ExecutionStatus: one.executionStatus,
          Status: one.status,
          StatusReason: one.reason,
          CreationTime: new Date(one.createdAtMs),
          Description: one.description,
          IncludeNestedStacks: false,
        })),
      };
    },
  }),
  /** Deletes a change set; a missing one is not an error if its stack exists. */
  action('DeleteChangeSet', {
    input: z.strictObject({ ChangeSetName: z.string(), StackName: z.string().optional() }),
    permissions: onStack(deps.stacks),
    run: (input) => {
      try {
        deps.stacks.book.changeSets.delete(findChangeSet(deps.stacks.book, input).changeSetId);
      } catch (error) {
        if (!(error instanceof AwsError) || error.code !== 'ChangeSetNotFound') throw error;
      }
      return {};
    },
  }),
];

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
