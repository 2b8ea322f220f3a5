import { SignatureV4 } from '@smithy/signature-v4';
import { describe, expect, it } from 'vitest';
import type { PlainRequest, Signer } from '../../src/aws/sign-request.ts';
import { signRequest } from '../../src/aws/sign-request.ts';
import { Sha256 } from '../support/sha256.ts';

const AT = new Date('2026-03-02T09:15:07.120Z');
const user = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' };
const role = { ...user, sessionToken: 'a/long+token==' };

/** What the SDK's own signer makes of a request. */
async function bySdk(
  { method, url, headers = {}, body }: PlainRequest,
  { service, region, credentials }: Signer,
) {
  const signer = new SignatureV4({
    service,
    region,
    credentials: { ...credentials, sessionToken: credentials.sessionToken ?? (undefined as any) },
    sha256: Sha256,
    uriEscapePath: service !== 's3',
    applyChecksum: service === 's3',
  });
  const query: Record<string, string | string[]> = {};
  for (const name of new Set(url.searchParams.keys())) query[name] = url.searchParams.getAll(name);
  const signed = await signer.sign(
    {
      method,
      protocol: url.protocol,
      hostname: url.hostname,
      path: url.pathname,
      query,
      headers: { ...headers, host: url.host },
      ...(body && { body }),
    },
    { signingDate: AT },
  );
  return signed.headers;
}

const url = (rest: string) => new URL(`https://runtime.sagemaker.eu-west-1.amazonaws.com${rest}`);

describe('a signature is that of the SDK for', () => {
  const EMPTY = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
  it.each<[string, PlainRequest, string]>([
    ['a plain GET', { method: 'GET', url: url('/') }, 'execute-api'],
    ['bytes', { method: 'POST', url: url('/x'), body: new Uint8Array([0, 255, 128]) }, 'sagemaker'],
    [
      'headers with much white space',
      { method: 'POST', url: url('/x'), headers: { 'content-type': '  text/csv;   header=no ' } },
      'sagemaker',
    ],
    ['a path with reserved characters', { method: 'GET', url: url("/a%20b/c'(d)*!/~é") }, 'execute-api'],
    ['an encoded slash', { method: 'GET', url: url('/a%2Fb/c') }, 'execute-api'],
    [
      'an object of S3',
      { method: 'GET', url: url('/a%20b/%C3%A9'), headers: { 'x-amz-content-sha256': EMPTY } },
      's3',
    ],
    ['a query in any order', { method: 'GET', url: url('/x?b=2&a=1&a=0&c=%2F+%20%26') }, 'execute-api'],
    ['a port of its own', { method: 'GET', url: new URL('http://127.0.0.1:4566/x') }, 'execute-api'],
  ])('%s', async (_, request, service) => {
    for (const credentials of [user, role]) {
      const signer = { service, region: 'eu-west-1', credentials };
      const { authorization, ...rest } = signRequest(request, signer, AT);
      const expected = await bySdk(request, signer);
      expect(signatureOf(authorization)).toBe(signatureOf(expected['authorization']));
      expect(rest['x-amz-security-token']).toBe(credentials === role ? role.sessionToken : undefined);
    }
  });

  // Days apart, so that a derived key of one would betray itself in the other.
  it('each of several scopes in turn', async () => {
    const request = { method: 'GET', url: url('/') } as const;
    for (const service of ['sagemaker', 's3', 'sagemaker']) {
      for (const region of ['eu-west-1', 'us-east-1']) {
        const signer = { service, region, credentials: user };
        const headers = service === 's3' ? { 'x-amz-content-sha256': EMPTY } : {};
        const ours = signRequest({ ...request, headers }, signer, AT);
        const sdk = await bySdk({ ...request, headers }, signer);
        expect(signatureOf(ours['authorization'])).toBe(signatureOf(sdk['authorization']));
      }
    }
  });
});

function signatureOf(authorization: string | undefined): string {
  return (
    /SignedHeaders=\S+ Signature=[0-9a-f]{64}$/.exec(authorization ?? '')?.[0] ?? `none in ${authorization}`
  );
}
