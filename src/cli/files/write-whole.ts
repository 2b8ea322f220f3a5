import { randomUUID } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';

/** Writes a file so that a reader, or the next process after a crash, finds the old text or the new one, never a part. */
export async function writeWhole(file: string, text: string, mode?: number): Promise<void> {
  const written = `${file}.${randomUUID()}`;
  try {
    await writeFile(written, text, { mode });
    await rename(written, file);
  } catch (error) {
    await rm(written, { force: true });
    throw error;
  }
}
