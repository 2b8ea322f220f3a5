import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { type ModelSignature, readSignatures } from './read-signatures.ts';
import { tarFiles } from './tar-files.ts';

/** A container's disk has 30 GB; an archive that unpacks to more cannot be served. */
const MAX_UNPACKED_BYTES = 30_000_000_000;
const MAX_FILES = 100_000;

/** Contents of model.tar.gz. */
interface ModelArchive {
  readonly sha256: string;
  /** Size of the compressed archive. */
  readonly sizeBytes: number;
  /** Names of the files, without a leading `./`. */
  readonly files: readonly string[];
  /** Signatures of each `saved_model.pb` by its name, where it could be read. */
  readonly signatures: ReadonlyMap<string, readonly ModelSignature[]>;
}

/** An archive, or why the object is not one. */
export type ReadArchive = ModelArchive | { readonly reason: string };

/**
 * Reads model.tar.gz once: its digest, the names in it and the signatures of its models, in bounded memory. Nothing is unpacked
 * to a disk.
 *
 * @throws whatever the source throws: a broken connection says nothing about the archive
 */
export async function readArchive(source: AsyncIterable<Uint8Array>): Promise<ReadArchive> {
  const hash = createHash('sha256');
  const files: string[] = [];
  const signatures = new Map<string, readonly ModelSignature[]>();
  const seen = { packed: 0, magic: Buffer.alloc(0) };
  const broken: unknown[] = [];
  async function* packed(): AsyncGenerator<Uint8Array> {
    for await (const chunk of watched(source, broken)) {
      if (seen.magic.length < 4) seen.magic = Buffer.concat([seen.magic, chunk.subarray(0, 4)]);
      seen.packed += chunk.length;
      hash.update(chunk);
      yield chunk;
    }
  }
  try {
    await pipeline(Readable.from(packed()), createGunzip(), async (unpacked: AsyncIterable<Uint8Array>) => {
      for await (const { name, body } of tarFiles(bounded(unpacked))) {
        const file = name.replace(/^(\.\/)+/, '');
        if (files.push(file) > MAX_FILES) throw new Error(`it holds more than ${MAX_FILES} files`);
        const found = /(^|\/)saved_model\.pb$/.test(file) ? await readSignatures(body) : undefined;
        if (found !== undefined) signatures.set(file, found);
      }
    });
  } catch (error) {
    if (broken.length > 0) throw broken[0];
    return { reason: toReason(error, seen) };
  }
  if (files.length === 0)
    return {
      reason: 'is a gzip file without any file in a tar archive: make it with tar czf model.tar.gz …',
    };
  return { sha256: hash.digest('hex'), sizeBytes: seen.packed, files, signatures };
}

/** Keeps an error of the source apart from errors of unpacking. */
async function* watched(source: AsyncIterable<Uint8Array>, broken: unknown[]): AsyncGenerator<Uint8Array> {
  try {
    yield* source;
  } catch (error) {
    broken.push(error);
    throw error;
  }
}

async function* bounded(unpacked: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of unpacked) {
    bytes += chunk.length;
    if (bytes > MAX_UNPACKED_BYTES) throw new Error(`it unpacks to more than ${MAX_UNPACKED_BYTES / 1e9} GB`);
    yield chunk;
  }
}

function toReason(
  error: unknown,
  { packed, magic }: { readonly packed: number; readonly magic: Buffer },
): string {
  const message = error instanceof Error ? error.message : String(error);
  if (packed === 0) return 'is an empty object';
  if (magic[0] !== 0x1f || magic[1] !== 0x8b) {
    const kind = magic.subarray(0, 2).toString('latin1') === 'PK' ? 'a zip file' : 'no gzip file';
    return `is ${kind}: SageMaker takes a gzip-compressed tar archive, made with tar czf model.tar.gz …`;
  }
  return `cannot be read as a gzip-compressed tar archive: ${message}`;
}
