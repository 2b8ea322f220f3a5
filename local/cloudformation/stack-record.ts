import * as z from 'zod';

/** What a stack is after its last deployment. One whose creation was rolled back holds nothing and can only be deleted. */
export const StackStatus = z.enum([
  'CREATE_COMPLETE',
  'ROLLBACK_COMPLETE',
  'ROLLBACK_FAILED',
  'UPDATE_COMPLETE',
  'UPDATE_ROLLBACK_COMPLETE',
  'UPDATE_ROLLBACK_FAILED',
  'DELETE_FAILED',
]);
export type StackStatus = z.infer<typeof StackStatus>;

/** AWS also has `Snapshot`, for types that are not emulated. */
export const DeletionPolicy = z.enum(['Delete', 'Retain', 'RetainExceptOnCreate']);

const StackResource = z.object({
  logicalId: z.string(),
  type: z.string(),
  physicalId: z.string(),
  deletionPolicy: DeletionPolicy.optional(),
});
export type StackResource = z.infer<typeof StackResource>;

const StackEvent = z.object({
  logicalId: z.string(),
  type: z.string(),
  physicalId: z.string(),
  status: z.string(),
  reason: z.string().optional(),
  atMs: z.number(),
});
export type StackEvent = z.infer<typeof StackEvent>;

export const StackRecord = z.object({
  stackName: z.string(),
  stackId: z.string(),
  description: z.string().optional(),
  // Earlier releases kept stacks that were complete, without a word for it.
  status: StackStatus.default('UPDATE_COMPLETE'),
  createdAtMs: z.number(),
  updatedAtMs: z.number(),
  parameters: z.record(z.string(), z.string()),
  outputs: z.array(z.object({ key: z.string(), value: z.string(), description: z.string().optional() })),
  resources: z.array(StackResource),
  template: z.string(),
  /** Of the last deployment, oldest first. */
  events: z.array(StackEvent).default([]),
});
export type StackRecord = z.infer<typeof StackRecord>;

/** Whether nothing can be done with a stack but to delete it. */
export function mustBeDeleted(status: StackStatus): boolean {
  return ['ROLLBACK_COMPLETE', 'ROLLBACK_FAILED', 'DELETE_FAILED'].includes(status);
}
