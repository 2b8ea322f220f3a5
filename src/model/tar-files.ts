import { type FileBody, tarEntries } from './tar-entries.ts';

/** A file of an archive. Its body can be read until you ask for the next file; the rest of it is then skipped. */
interface TarFile {
  readonly name: string;
  readonly body: FileBody;
}

/** Whether entries of a type are files: `0`, NUL and `7`; all others are folders, links or of a kind without plain bytes. */
export function isFileType(type: string): boolean {
  return type === '0' || type === '\0' || type === '7';
}

/**
 * The files in a tar archive, read from a stream.
 *
 * @param onMore called where it goes on after its end mark: what follows is not read
 * @throws {TarDamaged}
 */
export async function* tarFiles(
  archive: AsyncIterable<Uint8Array>,
  onMore?: () => void,
): AsyncGenerator<TarFile> {
  for await (const { name, type, body } of tarEntries(archive, undefined, onMore))
    if (isFileType(type)) yield { name, body };
}
