import type { Action } from './action.ts';
import { AwsError } from './aws-error.ts';
import type { Permission } from './permission.ts';
import type { ActionContext, ServiceRequest } from './service.ts';

/** Remarks on calls that are not emulated, and that a client makes on the way to another one. */
const REMARKS = new Map([
  [
    'sagemaker Search',
    ', with which the SDK begins to register a model: there is no model registry on this machine',
  ],
]);

/**
 * The action that a request asks for, and the context to run it in.
 *
 * @param codes of the protocol's refusals of an anonymous caller and of a call that is not emulated
 * @throws {AwsError} with one of these codes
 */
export function calledAction<Output>(
  service: string,
  actions: ReadonlyMap<string, Action<Output>>,
  name: string,
  { accessKeyId, requestId }: ServiceRequest,
  codes: { readonly anonymous: string; readonly unknown: string },
): { readonly action: Action<Output>; readonly context: ActionContext } {
  if (accessKeyId === undefined)
    throw new AwsError(codes.anonymous, 'Request is missing Authentication Token', { statusCode: 403 });
  const action = actions.get(name);
  if (action === undefined) {
    const offered = [...actions.keys()].sort().join(', ');
    throw new AwsError(
      codes.unknown,
      `The local stack does not emulate ${service} ${name}${REMARKS.get(`${service} ${name}`) ?? ''}. It offers: ${offered}`,
    );
  }
  return { action, context: { requestId, accessKeyId } };
}

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
