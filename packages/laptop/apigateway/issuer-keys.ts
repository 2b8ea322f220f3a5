import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from 'jose';
import * as z from 'zod';
import type { Clock } from '../kernel/clock.ts';

/** The keys with which issuers sign, looked up as OpenID Connect Discovery says. */
export interface IssuerKeys {
  /** @throws {Error} if the issuer's documents cannot be read */
  of(issuer: string): Promise<JWTVerifyGetKey>;
}

const Discovery = z.object({ issuer: z.string(), jwks_uri: z.url() });

/** How long keys are kept: two hours, as in API Gateway. */
const KEPT_MS = 2 * 60 * 60 * 1000;
/** API Gateway gives an issuer 1.5 s; a busy machine may take longer for one on itself. */
const PATIENCE_MS = 10_000;
/** The limit of jose's own, by real time, is out of the way of the clock's. */
const NO_LIMIT_MS = 2 ** 31 - 1;

/** Looks an issuer up at its first token. */
export function createIssuerKeys(clock: Clock): IssuerKeys {
  const known = new Map<string, { readonly keys: Promise<JWTVerifyGetKey>; readonly untilMs: number }>();
  return {
    of(issuer) {
      const before = known.get(issuer);
      if (before && clock.now() < before.untilMs) return before.keys;
      const keys = discover(issuer, fetchWithin(clock));
      known.set(issuer, { keys, untilMs: clock.now() + KEPT_MS });
      // Ask an issuer again after a failure.
      keys.catch(() => known.delete(issuer));
      return keys;
    },
  };
}

async function discover(issuer: string, read: ReturnType<typeof fetchWithin>): Promise<JWTVerifyGetKey> {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const response = await read(url, {});
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  const { jwks_uri } = Discovery.parse(await response.json());
  return createRemoteJWKSet(new URL(jwks_uri), {
    [customFetch]: read,
    timeoutDuration: NO_LIMIT_MS,
    cacheMaxAge: KEPT_MS,
  });
}

/** `fetch` of whole answers, which gives up by the stack's clock. */
function fetchWithin(clock: Clock) {
  return async (url: string, options: RequestInit): Promise<Response> => {
    const late = new AbortController();
    const cancel = clock.after(PATIENCE_MS, () =>
      late.abort(new Error(`${url} did not answer within ${PATIENCE_MS / 1000} seconds`)),
    );
    try {
      const response = await fetch(url, { ...options, signal: late.signal });
      return new Response(await response.arrayBuffer(), response);
    } finally {
      cancel();
    }
  };
}
