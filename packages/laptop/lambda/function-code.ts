import { createHash } from 'node:crypto';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { inflateRaw } from 'node:zlib';
import { type Entry, fromBufferPromise } from 'yauzl';
import { AwsError } from '../kernel/aws-error.ts';
import type { ObjectAccess } from '../kernel/ports.ts';
import type { FunctionConfig, FunctionRecord } from './function-config.ts';

/**
 * Unzips an object below `dir`, once for each content.
 *
 * @throws {AwsError} `InvalidParameterValueException`
 */
export async function unpackCode(
  dir: string,
  objects: ObjectAccess,
  { bucket, key }: { readonly bucket: string; readonly key: string },
): Promise<Pick<FunctionConfig, 'codeFolder' | 'codeSha256' | 'codeSize'>> {
  const archive = await objects.read(bucket, key);
  if (!archive) throw invalid(`Error occurred while GetObject. s3://${bucket}/${key} does not exist.`);
  const sha256 = createHash('sha256').update(archive).digest();
  const codeFolder = join('code', sha256.toString('hex').slice(0, 32));
  const folder = join(dir, codeFolder);
  if (!existsSync(folder)) {
    const next = `${folder}.next`;
    await rm(next, { recursive: true, force: true });
    await unzip(archive, next).catch((error: unknown) => {
      throw invalid(
        `Could not unzip s3://${bucket}/${key}: ${error instanceof Error ? error.message : String(error)}`,
      );
    });
    await rename(next, folder);
  }
  return { codeFolder, codeSha256: sha256.toString('base64'), codeSize: archive.length };
}

/** Removes the code that an earlier deployment used, and what was compiled of it. */
export function removeUnusedCode(dir: string, records: Iterable<FunctionRecord>): void {
  const folder = join(dir, 'code');
  if (!existsSync(folder)) return;
  const used = new Set(Array.from(records, ({ latest }) => basename(latest.codeFolder)));
  for (const name of readdirSync(folder)) {
    if (!used.has(name.split('.')[0] ?? '')) rmSync(join(folder, name), { recursive: true });
  }
}

function invalid(message: string): AwsError {
  return new AwsError('InvalidParameterValueException', message, { details: { Type: 'User' } });
}

/** Lambda's own limit for an unzipped package. */
const MAX_UNZIPPED_BYTES = 262_144_000;
const STORED = 0;
const DEFLATED = 8;

/**
 * Unzips an archive into `folder`. It is in memory already, so that each file is written in one piece: a stack unpacks
 * forty of them when it comes up, one of a hundred megabytes.
 *
 * @throws {Error} if it is not a zip archive, an entry would leave the folder, or it is larger than Lambda accepts
 */
export async function unzip(archive: Buffer, folder: string): Promise<void> {
  const zip = await fromBufferPromise(archive, { lazyEntries: true, strictFileNames: true });
  let sizeBytes = 0;
  for await (const entry of zip.eachEntry()) {
    const { fileName } = entry;
    if (fileName.split('/').includes('..') || fileName.startsWith('/'))
      throw new Error(`zip entry ${fileName} would leave the package`);
    sizeBytes += entry.uncompressedSize;
    if (sizeBytes > MAX_UNZIPPED_BYTES)
      throw new Error(`Unzipped size must be smaller than ${MAX_UNZIPPED_BYTES} bytes`);
    const path = join(folder, fileName);
    if (fileName.endsWith('/')) await mkdir(path, { recursive: true });
    else {
      const { fileDataStart: start } = await zip.readLocalFileHeaderPromise(entry, { minimal: true });
      const body = await bodyOf(entry, archive.subarray(start, start + entry.compressedSize));
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, body);
    }
  }
}

async function bodyOf(entry: Entry, data: Buffer): Promise<Buffer> {
  const { fileName, compressionMethod, uncompressedSize } = entry;
  if (entry.isEncrypted() || (compressionMethod !== STORED && compressionMethod !== DEFLATED))
    throw new Error(`zip entry ${fileName} must be stored or deflated, and not encrypted`);
  // One byte more shows an entry that is longer than it says.
  const body =
    compressionMethod === STORED
      ? data
      : await promisify(inflateRaw)(data, { maxOutputLength: uncompressedSize + 1 });
  if (body.length !== uncompressedSize)
    throw new Error(`zip entry ${fileName} must have ${uncompressedSize} bytes, has ${body.length}`);
  return body;
}
