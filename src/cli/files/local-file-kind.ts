import { open } from 'node:fs/promises';
import { type FileKind, fileKind, HEAD_BYTES, TAIL_BYTES } from '../../model/file-kind.ts';

/** Kind of a model file on this machine by its content; undefined if nothing is recognized. */
export async function localFileKind(file: string): Promise<FileKind | undefined> {
  const handle = await open(file);
  try {
    const { size: sizeBytes } = await handle.stat();
    const read = async (length: number, position: number): Promise<Buffer> => {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, position);
      return buffer.subarray(0, bytesRead);
    };
    const tailBytes = Math.min(sizeBytes, TAIL_BYTES);
    return fileKind({
      head: await read(Math.min(sizeBytes, HEAD_BYTES), 0),
      tail: await read(tailBytes, sizeBytes - tailBytes),
      sizeBytes,
    });
  } finally {
    await handle.close();
  }
}
