import { validateHeaderValue } from 'node:http';
import { authorizeJwt } from '../../../packages/laptop/apigateway/authorize-jwt.ts';
import { GatewayRefusal } from '../../../packages/laptop/apigateway/gateway-refusal.ts';
import { createIssuerKeys } from '../../../packages/laptop/apigateway/issuer-keys.ts';
import { systemClock } from '../../../packages/laptop/kernel/clock.ts';
import { startTokenIssuer } from '../../../packages/laptop/test/support/token-issuer.ts';
import { mutateBytes, mutateJson, mutateText } from '../mutate.ts';
import type { FuzzTarget } from '../target.ts';

/** Headers and claims that mean something. */
const HEADERS = [
  { alg: 'RS256', kid: 'one' },
  { alg: 'none' },
  { alg: 'HS256', kid: 'one' },
  { alg: 'RS256', kid: '../one', jku: 'http://127.0.0.1:9/keys', x5u: 'http://127.0.0.1:9/' },
  { alg: 'RS256', crit: ['b64'], b64: false },
];

/** Tokens of an API's JWT authorizer: none but the seed is let in. */
export async function open(): Promise<FuzzTarget<string>> {
  const issuer = await startTokenIssuer();
  const [head = '', claims = '', signature = ''] = (await issuer.token({ scope: 'a b' })).split('.');
  const keys = createIssuerKeys(systemClock);
  const authorizer = {
    name: 'jwt',
    issuer: issuer.url,
    audience: ['app'],
    identitySource: [{ from: 'header', name: 'authorization' } as const],
  };
  return {
    name: 'tokens',
    seeds: [`Bearer ${head}.${claims}.${signature}`],
    mutate(seed, chance) {
      if (chance.happens(0.3)) return mutateText(seed, chance);
      const part = (text: string, value: unknown): string =>
        chance.happens(0.5)
          ? text
          : Buffer.from(JSON.stringify(mutateJson(value, chance))).toString('base64url');
      const parsed: unknown = JSON.parse(Buffer.from(claims, 'base64url').toString());
      const sign = chance.happens(0.5)
        ? signature
        : mutateBytes(Buffer.from(signature), chance).toString('latin1');
      return `Bearer ${part(head, chance.oneOf(HEADERS))}.${part(claims, parsed)}.${sign}`;
    },
    async judge(token) {
      try {
        await authorizeJwt({ keys, clock: systemClock }, authorizer as never, { scopes: ['a'] } as never, {
          headers: { authorization: token },
          query: new URLSearchParams(),
        });
        return isSame(token, [head, claims, signature]) ? undefined : 'a changed token was let in';
      } catch (error) {
        if (!(error instanceof GatewayRefusal)) return error instanceof Error ? error.stack : String(error);
        if (![401, 403].includes(error.statusCode)) return `refused with ${error.statusCode}`;
        for (const [name, value] of Object.entries(error.headers)) validateHeaderValue(name, value);
        return undefined;
      }
    },
    close: () => issuer.close(),
  };
}

/** Base64 has several texts for the same bytes. */
function isSame(token: string, parts: readonly string[]): boolean {
  const given = token
    .replace(/^(?:Bearer +)?/i, '')
    .trim()
    .split('.');
  return (
    given.length === 3 &&
    parts.every((part, index) =>
      Buffer.from(part, 'base64url').equals(Buffer.from(given[index] ?? '', 'base64url')),
    )
  );
}
