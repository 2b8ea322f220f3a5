/**
 * Warning for a stack that is about to run as root: everything that it starts, including other people's scripts and models,
 * would run as root.
 */
export function rootWarning(userId: number | undefined): string | undefined {
  return userId === 0
    ? 'The stack runs as root, and so do training scripts and the code of models: run it as another user where you do not trust them.'
    : undefined;
}
