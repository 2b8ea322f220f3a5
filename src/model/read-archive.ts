import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import {
  describeKind,
  type FileKind,
  fileKind,
  HEAD_BYTES,
  isOfModel,
  TAIL_BYTES,
} from '../file-kind/file-kind.ts';
import type { FileEnds } from '../file-kind/zip-names.ts';
import { toSize } from '../text/size.ts';
import type { ArchiveContents } from './archive-contents.ts';
import type { ReadOnnx } from './onnx/onnx-model.ts';
import { readOnnx } from './onnx/read-onnx.ts';
import { type ModelSignature, readSignatures } from './read-signatures.ts';
import type { FileBody } from './tar-entries.ts';
import { tarFiles } from './tar-files.ts';
import { type TorchScriptModes, torchScriptModes } from './torchscript.ts';

/** Cap on the unpacked size: a container's disk has 30 GB, and an archive that unpacks to more cannot be served. */
const MAX_UNPACKED_BYTES = 30_000_000_000;
const MAX_FILES = 100_000;
/** Cap on a script that is read, and on all of them. */
const MAX_SCRIPT_BYTES = 1_000_000;
const MAX_SCRIPTS_BYTES = 8_000_000;

/** Contents of model.tar.gz. */
export interface ModelArchive extends ArchiveContents {
  readonly onnx: ReadOnnx | null;
  readonly sha256: string;
  readonly sizeBytes: number;
  /** Names of the files, without a leading `./`. */
  readonly files: readonly string[];
  /** Signatures of each `saved_model.pb` by its name, if it could be read. */
  readonly signatures: ReadonlyMap<string, readonly ModelSignature[]>;
}

/** An archive, or why the object is not one. */
export type ReadArchive = ModelArchive | { readonly reason: string };

/**
 * Reads model.tar.gz once: its digest, the names in it, the signatures of its models, its scripts, and the kinds of its other files, in
 * bounded memory. Nothing is unpacked to a disk.
 *
 * @throws the source's own error: a broken connection says nothing about the archive
 */
export async function readArchive(source: AsyncIterable<Uint8Array>): Promise<ReadArchive> {
  const hash = createHash('sha256');
  const files: string[] = [];
  const signatures = new Map<string, readonly ModelSignature[]>();
  const scripts = new Map<string, string>();
  const kinds = new Map<string, FileKind>();
  const modes = new Map<string, TorchScriptModes | null>();
  const seen = { packed: 0, head: Buffer.alloc(0), isTwice: false };
  let scriptBytes = 0;
  let onnx: ReadOnnx | null = null;
  let isJoined = false;
  const broken: unknown[] = [];
  async function* packed(): AsyncGenerator<Uint8Array> {
    for await (const chunk of watched(source, broken)) {
      if (seen.head.length < HEAD_BYTES)
        seen.head = Buffer.concat([seen.head, chunk.subarray(0, HEAD_BYTES - seen.head.length)]);
      seen.packed += chunk.length;
      hash.update(chunk);
      yield chunk;
    }
  }
  try {
    await pipeline(Readable.from(packed()), createGunzip(), async (unpacked: AsyncIterable<Uint8Array>) => {
      for await (const { name, body } of tarFiles(watchedTar(unpacked, seen), () => (isJoined = true))) {
        const file = name.replace(/^(\.\/)+/, '');
        if (files.push(file) > MAX_FILES) throw new Error(`it holds more than ${MAX_FILES} files`);
        if (/(^|\/)saved_model\.pb$/.test(file)) {
          const found = await readSignatures(body);
          if (found !== undefined) signatures.set(file, found);
        } else if (file === 'model.onnx') {
          onnx = await readOnnx(body);
          kinds.set(file, 'onnx');
        } else if (/^code\/(?:[^/]+\.py|requirements\.txt)$/.test(file)) {
          if (body.left > MAX_SCRIPT_BYTES || (scriptBytes += body.left) > MAX_SCRIPTS_BYTES) continue;
          const text = await body.take(body.left);
          if (text !== undefined) scripts.set(file, Buffer.from(text).toString());
        } else if (!/^code\/|(^|\/)(variables|assets)\//.test(file)) {
          const ends = await readEnds(body);
          const kind = ends && fileKind(ends);
          if (kind !== undefined && isOfModel(kind)) kinds.set(file, kind);
          if (ends !== undefined && kind === 'torchscript') modes.set(file, torchScriptModes(ends) ?? null);
        }
      }
    });
  } catch (error) {
    if (broken.length > 0) throw broken[0];
    return { reason: toReason(error, seen) };
  }
  if (isJoined)
    return {
      reason:
        'goes on after the end of its tar, as archives do that were joined, and SageMaker reads only the first: make ' +
        'one with tar czf model.tar.gz …',
    };
  if (files.length === 0)
    return {
      reason: seen.isTwice
        ? TWICE
        : 'is a gzip file without any file in a tar archive: make it with tar czf model.tar.gz …',
    };
  return {
    sha256: hash.digest('hex'),
    sizeBytes: seen.packed,
    files,
    signatures,
    scripts,
    kinds,
    modes,
    onnx,
  };
}

async function readEnds(body: FileBody): Promise<FileEnds | undefined> {
  const sizeBytes = body.left;
  const head = await body.take(Math.min(sizeBytes, HEAD_BYTES));
  if (head === undefined || !(await body.skip(Math.max(0, body.left - TAIL_BYTES)))) return undefined;
  const rest = await body.take(body.left);
  if (rest === undefined) return undefined;
  const tail = head.length + rest.length === sizeBytes ? Buffer.concat([head, rest]) : rest;
  return { head, tail, sizeBytes };
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

/** Bounds the unpacked bytes, and notes whether they are compressed themselves. */
async function* watchedTar(
  unpacked: AsyncIterable<Uint8Array>,
  seen: { isTwice: boolean },
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of unpacked) {
    if (bytes === 0) seen.isTwice = chunk[0] === 0x1f && chunk[1] === 0x8b;
    bytes += chunk.length;
    if (bytes > MAX_UNPACKED_BYTES) throw new Error(`it unpacks to more than ${toSize(MAX_UNPACKED_BYTES)}`);
    yield chunk;
  }
}

const TWICE =
  'is compressed twice: undo one (gunzip < model.tar.gz > once.tar.gz), or make it again with tar czf model.tar.gz …';
const REMEDY =
  '. It was cut short or damaged, as by a transfer that broke off: where gzip -t model.tar.gz finds no fault in ' +
  'yours, upload it again, else make it again with tar czf model.tar.gz …';

/** Whether an error says that an archive was cut short or damaged. */
export function isCutOrDamaged(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (
    error.name === 'TarDamaged' || ('code' in error && /^Z_(?:BUF|DATA)_ERROR$/.test(String(error.code)))
  );
}

function toReason(
  error: unknown,
  { packed, head, isTwice }: { readonly packed: number; readonly head: Buffer; readonly isTwice: boolean },
): string {
  const message = error instanceof Error ? error.message : String(error);
  if (packed === 0) return 'is an empty object';
  if (isTwice) return TWICE;
  if (head[0] !== 0x1f || head[1] !== 0x8b) {
    const kind = fileKind({ head, tail: head, sizeBytes: packed });
    const { what, remedy } = describeKind(kind);
    return isOfModel(kind)
      ? `is ${what}, not a model.tar.gz: ${remedy}`
      : `is ${what}: SageMaker takes a gzip-compressed tar archive, made with tar czf model.tar.gz …`;
  }
  return `cannot be read as a gzip-compressed tar archive: ${message}${isCutOrDamaged(error) ? REMEDY : ''}`;
}
