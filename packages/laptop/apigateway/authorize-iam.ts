import { SignatureRefusal } from '../gateway/signature-refusal.ts';
import type { FrontRequest, Site } from '../kernel/service.ts';
import type { CallerAuthorizer } from './authorization.ts';
import { GatewayRefusal } from './gateway-refusal.ts';

/**
 * Admits callers whose signature is for `execute-api`.
 *
 * @throws {GatewayRefusal} 403
 */
export async function authorizeIam(site: Site, request: FrontRequest): Promise<CallerAuthorizer> {
  const signature = await verify(request);
  if (signature === undefined) throw new GatewayRefusal(403, 'Missing Authentication Token');
  if (signature.service !== 'execute-api') {
    throw new GatewayRefusal(
      403,
      `Credential should be scoped to correct service: 'execute-api', is '${signature.service}'`,
    );
  }
  const { account, partition } = site;
  return {
    iam: {
      accessKey: signature.accessKeyId,
      accountId: account,
      callerId: account,
      cognitoIdentity: null,
      principalOrgId: null,
      userArn: `arn:${partition}:iam::${account}:root`,
      userId: account,
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
