import { createHash } from 'node:crypto';
import { checksumDigest } from '../checksum/checksum-digest.ts';
import type { ObjectStorage } from '../store/object-storage.ts';
import type { ChecksumAlgorithm, Segment } from '../store/object-version.ts';

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
