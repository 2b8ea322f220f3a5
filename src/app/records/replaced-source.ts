/** Whether a copy failed since its source has another ETag by now, or is gone. */
export function isReplaced(error: unknown): boolean {
  return error instanceof Error && ['NoSuchKey', 'PreconditionFailed'].includes(error.name);
}
