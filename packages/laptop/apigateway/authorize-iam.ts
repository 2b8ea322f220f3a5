import { SignatureRefusal } from '../gateway/signature-refusal.ts';
import type { AssumedRoles } from '../iam/service.ts';
import type { Roles } from '../kernel/permission.ts';
import type { FrontRequest, Site } from '../kernel/service.ts';
import { toSession } from '../sts/actions/roles.ts';
import { type CallerAuthorizer, GatewayRefusal } from './gateway-refusal.ts';

/** Looks up the owner of an access key, and what that owner's role may do. */
export interface ApiCallers {
  readonly refusal: Roles['refusal'];
  readonly sessionOf: AssumedRoles['sessionOf'];
}

/**
 * Admits callers who signed for `execute-api`; a role, if its policies let it invoke the resource.
 *
 * @throws {GatewayRefusal} 403
 */
export async function authorizeIam(
  { site, callers }: { readonly site: Site; readonly callers?: ApiCallers },
  request: FrontRequest,
  resource: string,
): Promise<CallerAuthorizer> {
  const signature = await verify(request);
  if (signature === undefined) throw new GatewayRefusal(403, 'Missing Authentication Token');
  if (signature.service !== 'execute-api')
    throw new GatewayRefusal(
      403,
      `Credential should be scoped to correct service: 'execute-api', is '${signature.service}'`,
    );
  const { accessKeyId } = signature;
  const refusal = callers?.refusal(accessKeyId, [{ action: 'execute-api:Invoke', resource }]);
  if (refusal) throw new GatewayRefusal(403, refusal);
  const { account, partition } = site;
  const session = callers?.sessionOf(accessKeyId);
  const { Arn: userArn, AssumedRoleId: userId } =
    session === undefined
      ? { Arn: `arn:${partition}:iam::${account}:root`, AssumedRoleId: account }
      : toSession(site, session);
  return {
    iam: {
      accessKey: accessKeyId,
      accountId: account,
      callerId: userId,
      cognitoIdentity: null,
      principalOrgId: null,
      userArn,
      userId,
    },
  };
}

async function verify(request: FrontRequest): ReturnType<FrontRequest['verifySignature']> {
  try {
    return await request.verifySignature();
  } catch (error) {
    if (error instanceof SignatureRefusal) throw new GatewayRefusal(403, error.message);
    throw error;
  }
}
