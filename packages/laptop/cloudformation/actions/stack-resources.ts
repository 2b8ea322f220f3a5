import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { validationError } from '../../kernel/aws-error.ts';
import { onStack } from '../asked-of-role.ts';
import { pageOf } from '../page.ts';
import { shownId } from '../stack-record.ts';
import type { Stacks } from '../stacks.ts';

/** Calls that show the resources and events of a stack. */
export const stackResourceActions = (stacks: Stacks) => [
  /** One resource of a stack. */
  action('DescribeStackResource', {
    input: z.strictObject({ StackName: z.string(), LogicalResourceId: z.string() }),
    permissions: onStack(stacks),
    run: ({ StackName, LogicalResourceId }) => {
      const stack = stacks.book.get(StackName);
      if (!stack) throw validationError(`Stack '${StackName}' does not exist`);
      const found = stack.resources.find(({ logicalId }) => logicalId === LogicalResourceId);
      if (!found)
        throw validationError(`Resource ${LogicalResourceId} does not exist for stack ${stack.stackName}`);
      return {
        StackResourceDetail: {
          StackName: stack.stackName,
          StackId: stack.stackId,
          LogicalResourceId,
          PhysicalResourceId: shownId(found),
          ResourceType: found.type,
          LastUpdatedTimestamp: new Date(found.atMs),
          ResourceStatus: found.status,
          ResourceStatusReason: found.reason,
          Metadata: '{}',
          DriftInformation: { StackResourceDriftStatus: 'NOT_CHECKED' },
        },
      };
    },
  }),
  /** The first hundred resources of a stack, or one of them. */
  action('DescribeStackResources', {
    input: z.strictObject({ StackName: z.string(), LogicalResourceId: z.string().optional() }),
    permissions: onStack(stacks),
    run: ({ StackName, LogicalResourceId = '' }) => {
      const { stackName, stackId, resources } = stacks.book.find(StackName);
      return {
        StackResources: resources
          .filter(({ logicalId }) => LogicalResourceId === '' || logicalId === LogicalResourceId)
          .slice(0, 100)
          .map((one) => ({
            StackName: stackName,
            StackId: stackId,
            LogicalResourceId: one.logicalId,
            PhysicalResourceId: shownId(one),
            ResourceType: one.type,
            Timestamp: new Date(one.atMs),
            ResourceStatus: one.status,
            ResourceStatusReason: one.reason,
            DriftInformation: { StackResourceDriftStatus: 'NOT_CHECKED' },
          })),
      };
    },
  }),
  /** Every resource of a stack with its physical id. */
  action('ListStackResources', {
    input: z.strictObject({ StackName: z.string(), NextToken: z.string().optional() }),
    permissions: onStack(stacks),
    run: ({ StackName, NextToken }) => {
      const { items, nextToken } = pageOf(stacks.book.find(StackName).resources, NextToken);
      return {
        StackResourceSummaries: items.map((one) => ({
          LogicalResourceId: one.logicalId,
          PhysicalResourceId: shownId(one),
          ResourceType: one.type,
          LastUpdatedTimestamp: new Date(one.atMs),
          ResourceStatus: one.status,
          ResourceStatusReason: one.reason,
          DriftInformation: { StackResourceDriftStatus: 'NOT_CHECKED' },
        })),
        NextToken: nextToken,
      };
    },
  }),
  /** Events of a stack, newest first. */
  action('DescribeStackEvents', {
    input: z.strictObject({ StackName: z.string(), NextToken: z.string().optional() }),
    permissions: onStack(stacks),
    run: ({ StackName, NextToken }) => {
      const stack = stacks.book.get(StackName);
      if (!stack) throw validationError(`Stack [${StackName}] does not exist`);
      const { items, nextToken } = pageOf(stack.events.toReversed(), NextToken);
      return {
        StackEvents: items.map(({ eventId, logicalId, type, physicalId, status, reason, atMs }) => ({
          StackId: stack.stackId,
          EventId: eventId,
          StackName: stack.stackName,
          LogicalResourceId: logicalId,
          PhysicalResourceId: physicalId,
          ResourceType: type,
          Timestamp: new Date(atMs),
          ResourceStatus: status,
          ResourceStatusReason: reason,
        })),
        NextToken: nextToken,
      };
    },
  }),
];
