import { expect, it } from 'vitest';
import { verifySignatureV2 } from '../../gateway/signature-v2.ts';

// `boto3.client('s3', …).generate_presigned_url('get_object', {Bucket: 'data', Key: 'a b/ü', ResponseContentType: 'x/y'})`, botocore 1.43
const SECRET = 'test';
const URL_OF_BOTOCORE = new URL(
  'http://127.0.0.1:4599/data/a%20b/%C3%BC?response-content-type=x%2Fy&AWSAccessKeyId=k&Signature=JLRdzIulzfPsKgOzY%2BfbR57XbAA%3D&Expires=1795267264',
);
const BEFORE = 1795263664_000;

const verify = (url: URL, secret: string, nowMs: number): void => {
  const query = url.searchParams;
  const signature = { accessKeyId: 'k', value: query.get('Signature')!, expires: query.get('Expires')! };
  verifySignatureV2(signature, { method: 'GET', path: url.pathname, query, headers: {} }, { secret, nowMs });
};

it('believes an address that botocore presigned', () => {
  expect(() => verify(URL_OF_BOTOCORE, SECRET, BEFORE)).not.toThrow();
});

it('refuses it changed, late or with another secret', () => {
  const changed = new URL(URL_OF_BOTOCORE.href.replace('/data/', '/other/'));
  expect(() => verify(changed, SECRET, BEFORE)).toThrow(expect.objectContaining({ reason: 'mismatch' }));
  expect(() => verify(URL_OF_BOTOCORE, 'other', BEFORE)).toThrow(
    expect.objectContaining({ reason: 'mismatch' }),
  );
  expect(() => verify(URL_OF_BOTOCORE, SECRET, BEFORE + 3_601_000)).toThrow(
    expect.objectContaining({ reason: 'expired' }),
  );
});
