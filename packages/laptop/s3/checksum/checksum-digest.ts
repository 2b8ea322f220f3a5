import { createHash } from 'node:crypto';
import type { ChecksumAlgorithm } from '../store/object-version.ts';
import { crc32cDigest, crc32Digest, crc64NvmeDigest } from './crc.ts';

/** One of S3's additional checksums, growing with its data. */
export interface ChecksumDigest {
  update(data: Buffer): void;
  /** Base64 of the big-endian value. */
  digest(): string;
}

/** Begins a checksum. */
export function checksumDigest(algorithm: ChecksumAlgorithm): ChecksumDigest {
  const inner = DIGESTS[algorithm]();
  return { update: (data) => void inner.update(data), digest: () => inner.digest().toString('base64') };
}

/** `x-amz-checksum-crc32`, … */
export function checksumHeader(algorithm: ChecksumAlgorithm): string {
  return `x-amz-checksum-${algorithm.toLowerCase()}`;
}

/** Checksum of bytes that are at hand. */
export function checksumOf(algorithm: ChecksumAlgorithm, data: Buffer): string {
  const digest = checksumDigest(algorithm);
  digest.update(data);
  return digest.digest();
}

const DIGESTS = {
  CRC32: crc32Digest,
  CRC32C: crc32cDigest,
  CRC64NVME: crc64NvmeDigest,
  SHA1: () => createHash('sha1'),
  SHA256: () => createHash('sha256'),
} as const;
