import { crc32 } from 'node:zlib';

/** A cyclic redundancy check that grows with its data: reflected, all ones in, all ones out. */
export interface Crc {
  update(data: Buffer): void;
  /** Big-endian. */
  digest(): Buffer;
}

/** CRC-32 (ISO-HDLC), as zlib computes it. */
export function crc32Digest(): Crc {
  let crc = 0;
  return {
    update(data) {
      crc = crc32(data, crc);
    },
    digest: () => uint32(crc),
  };
}

/** CRC-32C (Castagnoli). */
export function crc32cDigest(): Crc {
  let crc = 0xffffffff;
  return {
    update(data) {
      let value = crc;
      for (const byte of data) value = (CRC32C_TABLE[(value ^ byte) & 0xff] ?? 0) ^ (value >>> 8);
      crc = value;
    },
    digest: () => uint32(~crc >>> 0),
  };
}

/** CRC-64/NVME. Two 32-bit halves: BigInt arithmetic is a hundred times slower. */
export function crc64NvmeDigest(): Crc {
  let high = -1;
  let low = -1;
  return {
    update(data) {
      let h = high;
      let l = low;
      for (const byte of data) {
        const index = (l ^ byte) & 0xff;
        l = ((l >>> 8) | (h << 24)) ^ (CRC64_LOW[index] ?? 0);
        h = (h >>> 8) ^ (CRC64_HIGH[index] ?? 0);
      }
      high = h;
      low = l;
    },
    digest: () => Buffer.concat([uint32(~high >>> 0), uint32(~low >>> 0)]),
  };
}

/** Reversed polynomials, by width in bits. */
export const POLYNOMIALS = {
  CRC32: 0xedb88320n,
  CRC32C: 0x82f63b78n,
  CRC64NVME: 0x9a6c9329ac4bc9b5n,
} as const;

const CRC32C_TABLE = Int32Array.from(table(POLYNOMIALS.CRC32C), (value) => Number(BigInt.asIntN(32, value)));
const CRC64_TABLE = table(POLYNOMIALS.CRC64NVME);
const CRC64_HIGH = Int32Array.from(CRC64_TABLE, (value) => Number(BigInt.asIntN(32, value >> 32n)));
const CRC64_LOW = Int32Array.from(CRC64_TABLE, (value) => Number(BigInt.asIntN(32, value)));

function table(polynomial: bigint): bigint[] {
  return Array.from({ length: 256 }, (_, index) => {
    let value = BigInt(index);
    for (let bit = 0; bit < 8; bit++) value = value & 1n ? (value >> 1n) ^ polynomial : value >> 1n;
    return value;
  });
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
