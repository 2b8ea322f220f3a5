/** The command line itself is wrong: shown without a stack trace, exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
