import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { AwsError, validationError } from '../../kernel/aws-error.ts';
import { onAll, onStack } from '../asked-of-role.ts';
import { type CloudFormationDeps, DeploymentInput, toDeployment } from '../deployment-input.ts';
import { pageOf } from '../page.ts';
import { changesOutputs, resourceChanges } from '../resource-changes.ts';
import { shownParameters } from '../shown-parameters.ts';
import { isBusy, mustBeDeleted, type StackRecord, StackStatus } from '../stack-record.ts';
import { cannotBeUpdated, newStack } from '../stacks.ts';

/** Calls on stacks. */
export const stackActions = (deps: CloudFormationDeps) => [
  /** Begins a stack without a change set. */
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
  }),
  /** Begins an update without a change set. */
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
  }),
  /** Begins to remove a stack; a missing one is not an error, and one under review is forgotten. */
  action('DeleteStack', {
    input: z.strictObject({
      StackName: z.string(),
      ClientRequestToken: z.string().optional(),
    }),
    permissions: onStack(deps.stacks),
    run: (input, { accessKeyId }) => {
      const stack = deps.stacks.book.get(input.StackName);
      if (!stack || stack.status === 'DELETE_COMPLETE') return undefined;
      if (stack.status === 'REVIEW_IN_PROGRESS') return deps.stacks.book.drop(stack);
      if (isBusy(stack.status) && stack.status !== 'DELETE_IN_PROGRESS') throw cannotBeUpdated(stack);
      if (stack.status !== 'DELETE_IN_PROGRESS') void deps.stacks.beginDelete(stack, accessKeyId);
      return undefined;
    },
  }),
  /** One stack by name or id, or all. */
  action('DescribeStacks', {
    input: z.strictObject({ StackName: z.string().optional() }),
    permissions: onStack(deps.stacks),
    run: ({ StackName }) => {
      const found = StackName === undefined ? deps.stacks.book.all() : [deps.stacks.book.find(StackName)];
      return { Stacks: found.map(toStack) };
    },
  }),
  /** Every stack, those deleted in the last 90 days among them. */
  action('ListStacks', {
    input: z.strictObject({ StackStatusFilter: z.array(StackStatus).optional() }),
    permissions: onAll,
    run: ({ StackStatusFilter }) => ({
      StackSummaries: deps.stacks.book
        .withDeleted()
        .filter(({ status }) => StackStatusFilter?.includes(status) ?? true)
        .map((stack) => ({
          StackId: stack.stackId,
          StackName: stack.stackName,
          TemplateDescription: stack.description,
          CreationTime: new Date(stack.createdAtMs),
          LastUpdatedTime: stack.updatedAtMs === undefined ? undefined : new Date(stack.updatedAtMs),
          DeletionTime: stack.deletedAtMs === undefined ? undefined : new Date(stack.deletedAtMs),
          StackStatus: stack.status,
          StackStatusReason: stack.reason,
          DriftInformation: { StackDriftStatus: 'NOT_CHECKED' },
        })),
    }),
  }),
  /** The outputs that stacks export under names of the whole region. */
  action('ListExports', {
    input: z.strictObject({ NextToken: z.string().optional() }),
    permissions: onAll,
    run: (input) => {
      const exported = deps.stacks.book
        .all()
        .flatMap(({ stackId, outputs }) =>
          outputs.flatMap(({ exportName, value }) =>
            exportName === undefined ? [] : [{ ExportingStackId: stackId, Name: exportName, Value: value }],
          ),
        );
      const { items, nextToken } = pageOf(exported, input.NextToken);
      return { Exports: items, NextToken: nextToken };
    },
  }),
];

function toStack(stack: StackRecord) {
  return {
    StackId: stack.stackId,
    StackName: stack.stackName,
    ChangeSetId: stack.changeSetId,
    Description: stack.description,
    Parameters: shownParameters(stack),
    CreationTime: new Date(stack.createdAtMs),
    LastUpdatedTime: stack.updatedAtMs === undefined ? undefined : new Date(stack.updatedAtMs),
    DeletionTime: stack.deletedAtMs === undefined ? undefined : new Date(stack.deletedAtMs),
    RollbackConfiguration: {},
    StackStatus: stack.status,
    StackStatusReason: stack.reason,
    DisableRollback: false,
    NotificationARNs: [],
    Capabilities: stack.capabilities,
    Outputs: stack.outputs.map(({ key, value, description, exportName }) => ({
      OutputKey: key,
      OutputValue: value,
      Description: description,
      ExportName: exportName,
    })),
    Tags: stack.tags,
    RoleARN: stack.serviceRole,
    EnableTerminationProtection: false,
    DriftInformation: { StackDriftStatus: 'NOT_CHECKED' },
  };
}
