import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { onStack } from '../asked-of-role.ts';
import { createChangeSet } from '../change-sets.ts';
import { type CloudFormationDeps, DeploymentInput } from '../deployment-input.ts';

const ResourceToImport = z.strictObject({
  ResourceType: z.string(),
  LogicalResourceId: z.string(),
  ResourceIdentifier: z.record(z.string(), z.string()),
});

/** Creates a change set. A new stack starts in REVIEW_IN_PROGRESS. */
export const createChangeSetAction = (deps: CloudFormationDeps) =>
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
  });
