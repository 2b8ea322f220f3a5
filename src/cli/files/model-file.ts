import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { unzip } from 'node:zlib';
import { type FileKind, fileKind, HEAD_BYTES, TAIL_BYTES } from '../../file-kind/file-kind.ts';
import { unzippedHead } from '../../file-kind/unpacked-head.ts';
import type { FileEnds } from '../../file-kind/zip-names.ts';
import { Refusal } from '../refusal.ts';
import { localFileEnds } from './local-file-kind.ts';

/** Most bytes of a model that is converted, unpacked or not: as many as Node reads at once. */
const MOST_BYTES = 2 ** 31 - 1;

/** Kind of a file that was given as a model: a pickle's also if joblib has compressed it with gzip or zlib. */
export async function modelKind(file: string): Promise<FileKind> {
  const ends = await localFileEnds(file);
  return (await isPackedPickle(ends)) ? 'pickle' : fileKind(ends);
}

async function isPackedPickle(ends: FileEnds): Promise<boolean> {
  if (!['gzip', 'unknown'].includes(fileKind(ends))) return false;
  return fileKind({ head: await unzippedHead(ends.head), sizeBytes: Infinity }) === 'pickle';
}

/**
 * The bytes of a model that is converted, and of the pickle in it if joblib has compressed one.
 *
 * @throws {Refusal} for more than can be read, and for a damaged file
 */
export async function readModel(
  file: string,
  name: string,
): Promise<{ readonly bytes: Buffer; readonly unpacked: Buffer }> {
  const refuse = (error: unknown): never => {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const isLarge = /TOO_LARGE$/.test(code);
    if (!isLarge && !code.startsWith('Z_')) throw error;
    throw new Refusal(
      isLarge
        ? `${name} has more than ${MOST_BYTES} bytes, and no more are read at once: train a smaller model`
        : `${name} can't be unpacked to its end: take the whole file`,
    );
  };
  const bytes = await readFile(file).catch(refuse);
  const [head, tail] = [bytes.subarray(0, HEAD_BYTES), bytes.subarray(-TAIL_BYTES)];
  const isPacked = await isPackedPickle({ head, tail, sizeBytes: bytes.length });
  const unpacked = isPacked
    ? await promisify(unzip)(bytes, { maxOutputLength: MOST_BYTES }).catch(refuse)
    : bytes;
  return { bytes, unpacked };
}
