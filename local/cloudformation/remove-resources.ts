import type { EventLog } from './event-log.ts';
import type { ResourceTypes } from './resource-type.ts';
import type { StackResource } from './stack-record.ts';

/**
 * Deletes resources, the last made first. What its policy retains stays; what cannot be deleted stays, too, and the others
 * still go.
 *
 * @returns those that could not be deleted, in the order given
 */
export async function removeResources(
  resources: readonly StackResource[],
  {
    types,
    log,
    madeNow,
  }: {
    readonly types: ResourceTypes;
    readonly log: EventLog;
    /** Whether the deployment that is undone has made them. */
    readonly madeNow: boolean;
  },
): Promise<readonly StackResource[]> {
  const left: StackResource[] = [];
  for (const resource of resources.toReversed()) {
    const policy = resource.deletionPolicy ?? 'Delete';
    if (policy === 'Retain' || (policy === 'RetainExceptOnCreate' && !madeNow)) {
      log.resource(resource, 'DELETE_SKIPPED');
      continue;
    }
    try {
      await types[resource.type]?.remove(resource.physicalId);
      log.resource(resource, 'DELETE_COMPLETE');
    } catch (error) {
      log.resource(resource, 'DELETE_FAILED', error);
      left.unshift(resource);
    }
  }
  return left;
}
