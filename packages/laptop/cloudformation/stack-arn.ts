import { randomUUID } from 'node:crypto';
import type { Site } from '../kernel/service.ts';

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
