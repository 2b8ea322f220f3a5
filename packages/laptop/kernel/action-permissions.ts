import type { Action } from './action.ts';
import { AwsError } from './aws-error.ts';
import type { Permission } from './permission.ts';

/**
 * Permissions that a role needs for an action of a service.
 *
 * @throws {AwsError} `AccessDeniedException` where the stack does not know: nothing is allowed unseen
 */
export async function permissionsOf(
  service: string,
  action: Action | undefined,
  readInput: () => Promise<unknown>,
): Promise<readonly Permission[]> {
  // What the service does not offer at all, it refuses itself.
  if (action === undefined) return [];
  if (action.permissions !== undefined) return action.permissions(await readInput(), action.name);
  throw new AwsError(
    'AccessDeniedException',
    `The local stack does not know what ${service} ${action.name} asks of a role: say it with the action in ` +
      `packages/laptop/${service}/actions/`,
    { statusCode: 403 },
  );
}
