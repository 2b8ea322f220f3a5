import { createWriteStream } from 'node:fs';
import { mkdir, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PassThrough, type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { extract, type Header } from 'tar-stream';

/** The archive cannot be unpacked safely; the message names the entry and the rule. */
export class BadModelArchive extends Error {
  override readonly name = 'BadModelArchive';
}

/** The archive does not fit on the disk, as it is filled now. */
export class DiskTooSmall extends BadModelArchive {}

interface ArchiveLimits {
  /** Limit of all files together, unpacked. SageMaker's own volume for batch transform has 30 GB. */
  readonly maxUnpackedBytes: number;
  /** Reason for a smaller bound. */
  readonly because?: string;
  readonly maxEntries: number;
}

const MAX_UNPACKED_BYTES = 30 * 1024 ** 3;
const MAX_ENTRIES = 100_000;
/** Space left free on the disk, for whatever else the stack and the computer write meanwhile. */
const LEFT_FREE_BYTES = 256 * 1024 ** 2;

/**
 * Unpacks a `model.tar.gz` into an empty folder. Nothing is written outside of it: entries that are absolute,
 * that climb with `..`, or that are links or devices refuse the whole archive.
 *
 * @returns the bytes of all files together
 * @throws {BadModelArchive} for anything that is not a whole gzip-compressed tar within the limits
 */
export async function unpackModelArchive(
  archive: Readable,
  directory: string,
  limits?: ArchiveLimits,
): Promise<number> {
  return unpack(archive, createGunzip(), directory, limits);
}

/** Unpacks a tar that is not compressed, likewise. */
export async function unpackTar(archive: Readable, directory: string): Promise<number> {
  return unpack(archive, new PassThrough(), directory);
}

async function unpack(
  archive: Readable,
  decompressor: Transform,
  directory: string,
  limits?: ArchiveLimits,
): Promise<number> {
  await mkdir(directory, { recursive: true });
  const entries = extract();
  const budget = new Budget(limits ?? (await limitsOf(directory)));
  // An entry gets no error when the archive stops in the middle of it.
  const broken = new AbortController();
  const unpacked = (async () => {
    for await (const entry of entries) {
      budget.countEntry();
      const path = safePath(entry.header);
      if (path === '') {
        entry.resume();
      } else if (entry.header.type === 'directory') {
        await mkdir(join(directory, path), { recursive: true });
        entry.resume();
      } else {
        const target = join(directory, path);
        await mkdir(dirname(target), { recursive: true });
        await pipeline(entry, budget.meter(path), createWriteStream(target), { signal: broken.signal });
      }
    }
  })();
  const fed = pipeline(archive, decompressor, entries).catch((error: unknown) => {
    broken.abort(error);
    throw error;
  });
  // Both are awaited so that neither rejects unseen; the unpacking side has the more telling reason.
  const [unpackedResult, fedResult] = await Promise.allSettled([
    unpacked.catch((error: unknown) => {
      archive.destroy();
      throw error;
    }),
    fed,
  ]);
  if (unpackedResult.status === 'rejected' && unpackedResult.reason instanceof BadModelArchive)
    throw unpackedResult.reason;
  for (const result of [fedResult, unpackedResult]) {
    if (result.status === 'rejected') throw asBadArchive(result.reason);
  }
  if (budget.entries === 0) throw new BadModelArchive('the archive has no entries');
  return budget.bytes;
}

async function limitsOf(directory: string): Promise<ArchiveLimits> {
  const { bavail, bsize } = await statfs(directory);
  return archiveLimits(bavail * bsize, directory);
}

/** Cap on the unpacked size of an archive with this much free space, so that the stack still works afterwards. */
export function archiveLimits(freeBytes: number, directory: string): ArchiveLimits {
  const room = Math.max(0, freeBytes - LEFT_FREE_BYTES);
  return room < MAX_UNPACKED_BYTES
    ? {
        maxUnpackedBytes: room,
        maxEntries: MAX_ENTRIES,
        because: `: the disk of ${directory} has ${freeBytes} bytes free, and ${LEFT_FREE_BYTES} must stay free; make room there`,
      }
    : { maxUnpackedBytes: MAX_UNPACKED_BYTES, maxEntries: MAX_ENTRIES };
}

class Budget {
  entries = 0;
  bytes = 0;
  private readonly limits: ArchiveLimits;

  constructor(limits: ArchiveLimits) {
    this.limits = limits;
  }

  countEntry(): void {
    this.entries++;
    if (this.entries > this.limits.maxEntries)
      throw new BadModelArchive(`the archive must have at most ${this.limits.maxEntries} entries`);
  }

  meter(path: string): Transform {
    return new Transform({
      transform: (chunk: Buffer, _encoding, done) => {
        this.bytes += chunk.length;
        const { maxUnpackedBytes, because } = this.limits;
        if (this.bytes <= maxUnpackedBytes) return done(null, chunk);
        const Refused = because === undefined ? BadModelArchive : DiskTooSmall;
        done(
          new Refused(
            `${path}: the archive must unpack to at most ${maxUnpackedBytes} bytes${because ?? ''}`,
          ),
        );
      },
    });
  }
}

/** Path below the folder, or an empty text for the archive's root entry. */
function safePath(header: Header): string {
  const { name, type } = header;
  if (type !== 'file' && type !== 'directory' && type !== 'contiguous-file') {
    const remedy =
      type === 'symlink' || type === 'link' ? ': pack what it points to, with tar -h --hard-dereference' : '';
    throw new BadModelArchive(
      `${name}: must be a file or a directory, is a ${type ?? 'nameless kind'}${remedy}`,
    );
  }
  if (name.includes('\0') || name.includes('\\'))
    throw new BadModelArchive(`${name}: the name has a forbidden character`);
  const parts = name.split('/');
  // The SageMaker SDK names the archive's own folder `/` when it repacks a model with a script.
  if (type === 'directory' && /^\/+$/.test(name)) return '';
  if (name.startsWith('/') || /^[a-zA-Z]:/.test(name) || parts.includes('..'))
    throw new BadModelArchive(`${name}: must stay inside the archive's folder`);
  return parts.filter((part) => part !== '' && part !== '.').join('/');
}

function asBadArchive(reason: unknown): Error {
  if (reason instanceof BadModelArchive) return reason;
  const text = reason instanceof Error ? reason.message : String(reason);
  if (reason instanceof Error && 'code' in reason && (reason.code === 'ENOSPC' || reason.code === 'EDQUOT'))
    return new DiskTooSmall(`the disk is full (${text}): make room there`);
  return new BadModelArchive(`not a gzip-compressed tar archive (${text})`);
}
