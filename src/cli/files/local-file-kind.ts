import { open } from 'node:fs/promises';
import {
  describeKind,
  type FileKind,
  fileKind,
  HEAD_BYTES,
  isOfModel,
  TAIL_BYTES,
} from '../../file-kind/file-kind.ts';
import type { FileEnds } from '../../file-kind/zip-names.ts';

/** The first of some files that holds a model other than a SavedModel, in words with the remedy. */
export async function otherModelIn(
  files: readonly { readonly file: string; readonly name: string }[],
): Promise<string | undefined> {
  for (const { file, name } of files) {
    const kind = await localFileKind(file);
    if (!isOfModel(kind)) continue;
    const { what, remedy } = describeKind(kind);
    return `has no saved_model.pb; its ${name} is ${what}: ${remedy}`;
  }
  return undefined;
}

/** Kind of a file on this machine by its content. */
export async function localFileKind(file: string): Promise<FileKind> {
  return fileKind(await localFileEnds(file));
}

/** Beginning and end of a file on this machine, which show its kind. */
export async function localFileEnds(file: string): Promise<FileEnds> {
  const handle = await open(file);
  try {
    const { size: sizeBytes } = await handle.stat();
    const read = async (length: number, position: number): Promise<Buffer> => {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, position);
      return buffer.subarray(0, bytesRead);
    };
    const tailBytes = Math.min(sizeBytes, TAIL_BYTES);
    return {
      head: await read(Math.min(sizeBytes, HEAD_BYTES), 0),
      tail: await read(tailBytes, sizeBytes - tailBytes),
      sizeBytes,
    };
  } finally {
    await handle.close();
  }
}
