const CODES = new Set(['ENOSPC', 'EDQUOT', 'EMFILE', 'ENFILE']);

/** No room on the disk or none left for this user, or no descriptor: what a later try may find. */
export function isOutOfRoom(error: unknown): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && CODES.has(error.code);
}
