import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import type { Site } from '../kernel/service.ts';

/** Status of a stack. After a rolled-back creation, it holds nothing and can only be deleted. */
export const StackStatus = z.enum([
  'REVIEW_IN_PROGRESS',
  'CREATE_IN_PROGRESS',
  'CREATE_COMPLETE',
  'ROLLBACK_IN_PROGRESS',
  'ROLLBACK_COMPLETE',
  'ROLLBACK_FAILED',
  'UPDATE_IN_PROGRESS',
  'UPDATE_COMPLETE_CLEANUP_IN_PROGRESS',
  'UPDATE_COMPLETE',
  'UPDATE_ROLLBACK_IN_PROGRESS',
  'UPDATE_ROLLBACK_COMPLETE_CLEANUP_IN_PROGRESS',
  'UPDATE_ROLLBACK_COMPLETE',
  'UPDATE_ROLLBACK_FAILED',
  'IMPORT_IN_PROGRESS',
  'IMPORT_COMPLETE',
  'DELETE_IN_PROGRESS',
  'DELETE_FAILED',
  'DELETE_COMPLETE',
]);
/** Status of a stack in the words of DescribeStacks. */
export type StackStatus = z.infer<typeof StackStatus>;

/** AWS also has `Snapshot`, for types that are not emulated. */
export const DeletionPolicy = z.enum(['Delete', 'Retain', 'RetainExceptOnCreate']);

const Tag = z.object({ Key: z.string(), Value: z.string() });

const StackResource = z.object({
  logicalId: z.string(),
  type: z.string(),
  physicalId: z.string(),
  deletionPolicy: DeletionPolicy.optional(),
  status: z.string(),
  reason: z.string().optional(),
  atMs: z.number(),
  /** The state from which it was made: properties without intrinsic functions, and the values of `Ref` and `Fn::GetAtt`. */
  made: z
    .object({
      properties: z.record(z.string(), z.unknown()),
      ref: z.string(),
      attributes: z.record(z.string(), z.unknown()),
    })
    .optional(),
});
export type StackResource = z.infer<typeof StackResource>;

const StackEvent = z.object({
  eventId: z.string(),
  logicalId: z.string(),
  type: z.string(),
  physicalId: z.string(),
  status: z.string(),
  reason: z.string().optional(),
  atMs: z.number(),
});
export type StackEvent = z.infer<typeof StackEvent>;

const Output = z.object({
  key: z.string(),
  value: z.string(),
  description: z.string().optional(),
  exportName: z.string().optional(),
});

/** A stack as it is stored. */
export const StackRecord = z.object({
  stackName: z.string(),
  stackId: z.string(),
  description: z.string().optional(),
  status: StackStatus,
  reason: z.string().optional(),
  createdAtMs: z.number(),
  updatedAtMs: z.number().optional(),
  deletedAtMs: z.number().optional(),
  changeSetId: z.string().optional(),
  parameters: z.record(z.string(), z.string()),
  capabilities: z.array(z.string()),
  tags: z.array(Tag),
  /** Its rights count for all operations on the stack, instead of each caller's. */
  serviceRole: z.string().optional(),
  outputs: z.array(Output),
  resources: z.array(StackResource),
  template: z.string(),
  /** Address of the gateway at the last deployment: attributes of resources have it in them. */
  endpoint: z.string().optional(),
  /** Oldest first. */
  events: z.array(StackEvent),
});
export type StackRecord = z.infer<typeof StackRecord>;

/** Whether a stack can only be deleted. */
export function mustBeDeleted(status: StackStatus): boolean {
  return ['ROLLBACK_COMPLETE', 'ROLLBACK_FAILED', 'DELETE_FAILED'].includes(status);
}

/** Whether an operation on a stack is in progress, which excludes others. */
export function isBusy(status: StackStatus): boolean {
  return status.endsWith('_IN_PROGRESS') && status !== 'REVIEW_IN_PROGRESS';
}

/** A resource's physical id as CloudFormation shows it, which is what `Ref` gives; a service of this stack may keep another. */
export function shownId({ physicalId, made }: Pick<StackResource, 'physicalId' | 'made'>): string {
  return made?.ref ?? physicalId;
}

/** An id for a new stack. */
export function stackArn(site: Site, stackName: string): string {
  return arn(site, `stack/${stackName}/${randomUUID()}`);
}

/** An id for a new change set. */
export function changeSetArn(site: Site, changeSetName: string): string {
  return arn(site, `changeSet/${changeSetName}/${randomUUID()}`);
}

function arn({ partition, region, account }: Site, resource: string): string {
  return `arn:${partition}:cloudformation:${region}:${account}:${resource}`;
}
