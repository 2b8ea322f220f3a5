import * as z from 'zod';

const Change = z.object({
  action: z.enum(['Add', 'Modify', 'Remove', 'Import']),
  logicalId: z.string(),
  physicalId: z.string().optional(),
  type: z.string(),
  parts: z.array(
    z.object({
      name: z.string(),
      isProperty: z.boolean(),
      replaces: z.boolean(),
      source: z.enum(['DirectModification', 'ParameterReference', 'ResourceReference']),
    }),
  ),
  policy: z.enum(['Delete', 'Retain', 'RetainExceptOnCreate']).optional(),
});

/**
 * A change set as it is kept on disk: the changes that a deployment would make to a stack. It goes when it is deleted,
 * when another change set of the stack is executed, and with the stack. One with the status `FAILED` changes nothing or
 * cannot be imported, as `reason` says.
 */
export const ChangeSetRecord = z.object({
  changeSetId: z.string(),
  changeSetName: z.string(),
  stackId: z.string(),
  stackName: z.string(),
  description: z.string().optional(),
  type: z.enum(['CREATE', 'UPDATE', 'IMPORT']),
  createdAtMs: z.number(),
  status: z.enum(['CREATE_COMPLETE', 'FAILED']),
  reason: z.string().optional(),
  executionStatus: z.enum([
    'AVAILABLE',
    'UNAVAILABLE',
    'EXECUTE_IN_PROGRESS',
    'EXECUTE_COMPLETE',
    'EXECUTE_FAILED',
  ]),
  template: z.string(),
  /** Values of every declared parameter. */
  parameters: z.record(z.string(), z.string()),
  capabilities: z.array(z.string()),
  tags: z.array(z.object({ Key: z.string(), Value: z.string() })),
  serviceRole: z.string().optional(),
  imports: z.array(
    z.object({ logicalId: z.string(), type: z.string(), identifier: z.record(z.string(), z.string()) }),
  ),
  changes: z.array(Change),
});
export type ChangeSetRecord = z.infer<typeof ChangeSetRecord>;
