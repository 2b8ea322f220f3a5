import { AwsError } from './aws-error.ts';
import type { Permission } from './permission.ts';
import type { ActionPermissions } from './service.ts';

/**
 * What an action of a service asks of a role.
 *
 * @throws {AwsError} `AccessDeniedException` where the stack does not know: nothing is allowed unseen
 */
export async function permissionsOf(
  {
    name,
    actions,
    permissions = {},
  }: {
    readonly name: string;
    readonly actions: Readonly<Record<string, unknown>>;
    readonly permissions?: ActionPermissions;
  },
  action: string,
  readInput: () => Promise<unknown>,
): Promise<readonly Permission[]> {
  // What the service does not offer at all, it refuses itself.
  if (!Object.hasOwn(actions, action)) return [];
  const ask = Object.hasOwn(permissions, action) ? permissions[action] : undefined;
  if (ask !== undefined) return ask(await readInput());
  throw new AwsError(
    'AccessDeniedException',
    `The local stack does not know what ${name} ${action} asks of a role: name it among the permissions of packages/laptop/${name}/`,
    { statusCode: 403 },
  );
}
