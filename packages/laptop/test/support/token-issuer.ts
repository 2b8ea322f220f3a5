import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, exportJWK, generateKeyPair, SignJWT } from 'jose';

/** An OpenID Connect issuer on the loopback interface, with one key. */
export interface TokenIssuer {
  readonly url: string;
  readonly publicKey: CryptoKey;
  /** A token for the audience `app`, good for ten minutes, unless the claims say otherwise. */
  token(
    claims?: Record<string, unknown>,
    options?: { readonly key?: CryptoKey; readonly kid?: string },
  ): Promise<string>;
  close(): void;
}

/** @param nowMs time that tokens are issued at */
export async function startTokenIssuer(nowMs: () => number = Date.now): Promise<TokenIssuer> {
  const keys = await generateKeyPair('RS256');
  const jwk = { ...(await exportJWK(keys.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' };
  const server = createServer((request, response) => {
    const documents: Record<string, unknown> = {
      '/.well-known/openid-configuration': { issuer: url, jwks_uri: `${url}/keys` },
      '/keys': { keys: [jwk] },
    };
    const document = documents[request.url ?? ''];
    // A kept connection could end in the moment in which the next request takes it.
    response.writeHead(document ? 200 : 404, { 'content-type': 'application/json', connection: 'close' });
    response.end(JSON.stringify(document ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    publicKey: keys.publicKey,
    token: (claims = {}, { key = keys.privateKey, kid = 'one' } = {}) => {
      const now = Math.floor(nowMs() / 1000);
      return new SignJWT({ iss: url, aud: 'app', sub: 'me', iat: now, exp: now + 600, ...claims })
        .setProtectedHeader({ alg: 'RS256', kid })
        .sign(key);
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
