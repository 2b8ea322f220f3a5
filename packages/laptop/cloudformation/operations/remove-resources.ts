import { toReason } from '../event-log.ts';
import type { StackResource } from '../stack-record.ts';
import type { Operation } from './operation.ts';

/**
 * Deletes resources, the last made first. Retained resources stay, and if one can't be deleted, the others still go.
 *
 * @returns those that could not be deleted, in the order given
 */
export async function removeResources(
  resources: readonly StackResource[],
  operation: Operation,
  {
    madeNow,
    hasSuccessor = false,
  }: {
    /** Whether the operation that is undone has made them. */
    readonly madeNow: boolean;
    /** Whether other resources of the stack replace them, so that they are no longer part of it. */
    readonly hasSuccessor?: boolean;
  },
): Promise<readonly StackResource[]> {
  const { types, log, requireRights, record } = operation;
  const left: StackResource[] = [];
  const tell = hasSuccessor ? log.resource : operation.resource;
  for (const resource of resources.toReversed()) {
    const policy = resource.deletionPolicy ?? 'Delete';
    if (policy === 'Retain' || (policy === 'RetainExceptOnCreate' && !madeNow)) {
      tell(resource, 'DELETE_SKIPPED');
    } else if (resource.physicalId === '') {
      // It failed before it was there.
      tell(resource, 'DELETE_COMPLETE');
    } else {
      tell(resource, 'DELETE_IN_PROGRESS');
      try {
        const { type, logicalId, physicalId, made } = resource;
        const { stackName } = record();
        requireRights('delete', {
          type,
          properties: made?.properties ?? {},
          stackName,
          logicalId,
          physicalId,
        });
        await types[type]?.remove(physicalId);
        tell(resource, 'DELETE_COMPLETE');
      } catch (error) {
        tell(resource, 'DELETE_FAILED', toReason(error));
        left.unshift(resource);
        continue;
      }
    }
    if (!hasSuccessor) operation.forget(resource.logicalId);
  }
  return left;
}
