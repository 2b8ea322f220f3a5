import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { AwsError } from '../../kernel/aws-error.ts';
import { checksumDigest } from '../checksum/checksum-digest.ts';
import type { S3Call } from '../operation.ts';
import type { ObjectStorage } from '../store/object-storage.ts';
import type { ChecksumAlgorithm, Segment } from '../store/object-version.ts';
import { decodeAwsChunked } from './aws-chunked.ts';
import { expectedChecksums, verifyChecksums } from './expected-checksums.ts';

const MAX_BODY_BYTES = 5 * 1024 ** 3;

interface ReceivedBody {
  readonly segments: Segment[];
  readonly size: number;
  /** MD5 in hexadecimal. */
  readonly md5: string;
  readonly checksum: { readonly algorithm: ChecksumAlgorithm; readonly value: string };
}

/**
 * Streams a request's body to disk and verifies everything the request says of it. The caller releases the segments when metadata
 * refers to them, or when it does not want them.
 *
 * @param byDefault which checksum is kept if the client names none
 * @throws {AwsError} `BadDigest`, `XAmzContentSHA256Mismatch`, `IncompleteBody`, `EntityTooLarge`, `MissingContentLength`, `InvalidDigest`
 */
export async function receiveBody(
  { request, headers }: S3Call,
  { bodies }: ObjectStorage,
  byDefault: ChecksumAlgorithm = 'CRC64NVME',
): Promise<ReceivedBody> {
  const announcedBytes = announcedSize(headers);
  const payloadHash = headers['x-amz-content-sha256'] ?? 'UNSIGNED-PAYLOAD';
  const expected = expectedChecksums(headers);
  const trailers = new Map<string, string>();
  const md5 = createHash('md5');
  const sha256 = /^[0-9a-f]{64}$/.test(payloadHash) ? createHash('sha256') : undefined;
  const checksum = checksumDigest(expected.algorithm ?? byDefault);
  const writer = bodies.writer();
  try {
    const wire = wireOf(request.incoming);
    const signing = payloadHash.startsWith('STREAMING-AWS4-HMAC-SHA256-PAYLOAD')
      ? request.chunkSigning
      : undefined;
    const data = payloadHash.startsWith('STREAMING-') ? decodeAwsChunked(wire, trailers, signing) : wire;
    for await (const chunk of data) {
      if (writer.sizeBytes + chunk.length > MAX_BODY_BYTES) throw tooLarge(writer.sizeBytes + chunk.length);
      md5.update(chunk);
      sha256?.update(chunk);
      checksum.update(chunk);
      await writer.write(chunk);
    }
    if (writer.sizeBytes !== announcedBytes)
      throw new AwsError(
        'IncompleteBody',
        `You did not provide the number of bytes specified: announced ${announcedBytes}, sent ${writer.sizeBytes}`,
      );
    const digest = md5.digest();
    const value = checksum.digest();
    if (sha256) requireSameHash(payloadHash, sha256.digest('hex'));
    verifyChecksums({ expected, trailers, md5: digest.toString('base64'), value });
    const size = writer.sizeBytes;
    const segments = await writer.finish();
    return {
      segments,
      size,
      md5: digest.toString('hex'),
      checksum: { algorithm: expected.algorithm ?? byDefault, value },
    };
  } catch (error) {
    await writer.discard();
    throw error;
  } finally {
    // What is still on its way must be read, or the client never reads the answer.
    request.incoming.resume();
  }
}

function requireSameHash(announced: string, computed: string): void {
  if (announced === computed) return;
  throw new AwsError(
    'XAmzContentSHA256Mismatch',
    "The provided 'x-amz-content-sha256' header does not match what was computed.",
    { details: { ClientComputedContentSHA256: announced, S3ComputedContentSHA256: computed } },
  );
}

function announcedSize(headers: Readonly<Record<string, string>>): number {
  const text = headers['x-amz-decoded-content-length'] ?? headers['content-length'];
  if (text === undefined)
    throw new AwsError('MissingContentLength', 'You must provide the Content-Length HTTP header.', {
      statusCode: 411,
    });
  const sizeBytes = Number(text);
  if (sizeBytes > MAX_BODY_BYTES) throw tooLarge(sizeBytes);
  return sizeBytes;
}

async function* wireOf(incoming: IncomingMessage): AsyncGenerator<Buffer> {
  // Leaving early must not end the connection: the refusal still has to be sent.
  for await (const chunk of incoming.iterator({ destroyOnReturn: false })) {
    if (Buffer.isBuffer(chunk)) yield chunk;
  }
}

function tooLarge(sizeBytes: number): AwsError {
  return new AwsError('EntityTooLarge', 'Your proposed upload exceeds the maximum allowed size', {
    details: { ProposedSize: sizeBytes, MaxSizeAllowed: MAX_BODY_BYTES },
  });
}

/** Reads stored bytes through once: their MD5 in hexadecimal and their checksum in base64. */
export async function readDigests(
  { bodies }: ObjectStorage,
  segments: readonly Segment[],
  algorithm: ChecksumAlgorithm,
): Promise<{ readonly md5: string; readonly value: string }> {
  const md5 = createHash('md5');
  const checksum = checksumDigest(algorithm);
  for await (const chunk of bodies.read(segments)) {
    if (!Buffer.isBuffer(chunk)) throw new Error('a body was read as text');
    md5.update(chunk);
    checksum.update(chunk);
  }
  return { md5: md5.digest('hex'), value: checksum.digest() };
}
