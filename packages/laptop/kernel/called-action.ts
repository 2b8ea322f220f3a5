import type { Action } from './action.ts';
import { AwsError } from './aws-error.ts';
import type { ActionContext, ServiceRequest } from './service.ts';

/**
 * The action that a request asks for, and the context to run it in.
 *
 * @param codes of the protocol's refusals of an anonymous caller and of a call that is not emulated, and a remark on this call
 * @throws {AwsError} with one of these codes
 */
export function calledAction<Output>(
  service: string,
  actions: ReadonlyMap<string, Action<Output>>,
  name: string,
  { accessKeyId, requestId }: ServiceRequest,
  codes: { readonly anonymous: string; readonly unknown: string; readonly remark?: string | undefined },
): { readonly action: Action<Output>; readonly context: ActionContext } {
  if (accessKeyId === undefined)
    throw new AwsError(codes.anonymous, 'Request is missing Authentication Token', { statusCode: 403 });
  const action = actions.get(name);
  if (action === undefined) {
    const offered = [...actions.keys()].sort().join(', ');
    throw new AwsError(
      codes.unknown,
      `The local stack does not emulate ${service} ${name}${codes.remark ?? ''}. It offers: ${offered}`,
    );
  }
  return { action, context: { requestId, accessKeyId } };
}
