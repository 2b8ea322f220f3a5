import { createHash } from 'node:crypto';
import { AwsError } from '../../kernel/aws-error.ts';
import { checksumOf } from '../checksum/checksum-digest.ts';
import type { S3Call } from '../operation.ts';
import { readXml, type XmlForm } from '../xml/read-xml.ts';
import { expectedChecksums, verifyChecksums } from './expected-checksums.ts';

/**
 * Reads the XML body of a call after comparing it with the checksums that the request gives.
 *
 * @throws {AwsError} `MalformedXML`, `BadDigest`, `XAmzContentSHA256Mismatch`
 */
export async function readVerifiedXml<T>({ request, headers }: S3Call, form: XmlForm<T>): Promise<T> {
  const body = await request.body();
  verifyBody(headers, body);
  return readXml(request, form);
}

/** Reads and verifies a body that is not XML. */
export async function readVerifiedText({ request, headers }: S3Call): Promise<string> {
  const body = await request.body();
  verifyBody(headers, body);
  return body.toString('utf8');
}

function verifyBody(headers: Readonly<Record<string, string>>, body: Buffer): void {
  const claimed = headers['x-amz-content-sha256'] ?? 'UNSIGNED-PAYLOAD';
  if (claimed.startsWith('STREAMING-'))
    throw new AwsError('NotImplemented', `The local S3 takes no ${claimed} for this call`, {
      statusCode: 501,
    });
  if (claimed !== 'UNSIGNED-PAYLOAD' && createHash('sha256').update(body).digest('hex') !== claimed)
    throw new AwsError(
      'XAmzContentSHA256Mismatch',
      "The provided 'x-amz-content-sha256' header does not match what was computed.",
    );
  const expected = expectedChecksums(headers);
  const md5 = createHash('md5').update(body).digest('base64');
  const value = expected.algorithm === undefined ? '' : checksumOf(expected.algorithm, body);
  verifyChecksums({ expected, trailers: new Map(), md5, value });
}
