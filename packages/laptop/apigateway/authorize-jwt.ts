import { errors, type JWTPayload, jwtVerify } from 'jose';
import type { Clock } from '../kernel/clock.ts';
import type { FrontRequest } from '../kernel/service.ts';
import type { Authorizer, Route } from './api-record.ts';
import { type CallerAuthorizer, GatewayRefusal } from './gateway-refusal.ts';
import type { IssuerKeys } from './issuer-keys.ts';

/** API Gateway knows RSA only. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512'];

/**
 * Admits callers with a token of the authorizer's issuer, for one of its audiences, with one of the route's scopes.
 *
 * @throws {GatewayRefusal} 401 without a valid token, 403 without the scope
 */
export async function authorizeJwt(
  { keys, clock }: { readonly keys: IssuerKeys; readonly clock: Clock },
  authorizer: Authorizer,
  route: Route,
  request: Pick<FrontRequest, 'headers' | 'query'>,
): Promise<CallerAuthorizer> {
  const token = findToken(authorizer, request);
  if (token === undefined) throw unauthorized('no token');
  const claims = await verifyToken(keys, clock, authorizer, token);
  const scopes = scopesOf(claims);
  if (route.scopes.length > 0 && !route.scopes.some((scope) => scopes?.includes(scope))) {
    const wanted = route.scopes.join(' ');
    throw new GatewayRefusal(403, `the token has none of the scopes ${wanted}`, {
      'www-authenticate': `Bearer scope="${wanted}" error="insufficient_scope"`,
    });
  }
  return {
    jwt: {
      claims: Object.fromEntries(Object.entries(claims).map(([name, value]) => [name, toText(value)])),
      scopes: route.scopes.length > 0 ? scopes : null,
    },
  };
}

function findToken(
  { identitySource }: Authorizer,
  { headers, query }: Pick<FrontRequest, 'headers' | 'query'>,
): string | undefined {
  for (const { from, name } of identitySource) {
    const value = from === 'header' ? headers[name] : (query.get(name) ?? undefined);
    if (value !== undefined && value !== '') return value.replace(/^Bearer +/i, '');
  }
  return undefined;
}

async function verifyToken(
  keys: IssuerKeys,
  clock: Clock,
  { issuer, audience }: Authorizer,
  token: string,
): Promise<JWTPayload> {
  const key = await keys.of(issuer).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw unauthorized('OIDC discovery endpoint communication error', reason);
  });
  try {
    const { payload } = await jwtVerify(token, key, {
      issuer,
      algorithms: ALGORITHMS,
      currentDate: new Date(clock.now()),
      requiredClaims: ['exp'],
    });
    if (typeof payload.iat === 'number' && payload.iat * 1000 > clock.now())
      throw unauthorized('the token was issued in the future');
    // Cognito's access tokens have `client_id` instead of `aud`.
    const claimed = [payload.aud ?? payload['client_id']].flat();
    if (!claimed.some((one) => typeof one === 'string' && audience.includes(one)))
      throw unauthorized('the token does not have a valid audience');
    return payload;
  } catch (error) {
    if (error instanceof GatewayRefusal) throw error;
    if (error instanceof errors.JWTExpired) throw unauthorized('the token has expired');
    if (error instanceof errors.JOSEError) throw unauthorized(`invalid token: ${error.message}`);
    throw unauthorized(
      'signing key communication error',
      error instanceof Error ? error.message : String(error),
    );
  }
}

function unauthorized(description: string, detail?: string): GatewayRefusal {
  const challenge =
    description === 'no token'
      ? 'Bearer'
      : `Bearer scope="" error="invalid_token" error_description="${toHeaderText(description)}"`;
  return new GatewayRefusal(401, detail === undefined ? description : `${description}: ${detail}`, {
    'www-authenticate': challenge,
  });
}

/** A token's own words may be in the description, and a header takes printable ASCII. */
function toHeaderText(text: string): string {
  return text.replace(/["\\]|[^ -~]/g, "'");
}

function scopesOf(claims: JWTPayload): readonly string[] | null {
  const given = claims['scope'] ?? claims['scp'];
  if (typeof given === 'string') return given.split(' ').filter((scope) => scope !== '');
  return Array.isArray(given) ? given.map(String) : null;
}

/** API Gateway hands every claim over as text; lists are `[a b]`. */
function toText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(String).join(' ')}]`;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
