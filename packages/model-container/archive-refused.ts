/** The archive cannot be served with these variables; the message says why. */
export class ArchiveRefused extends Error {
  override readonly name = 'ArchiveRefused';
}
