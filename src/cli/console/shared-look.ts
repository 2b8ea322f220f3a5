/** A look that is under way is shared by all who ask meanwhile: a page and its bar, or several tabs. */
export function sharedLook<T>(look: () => Promise<T>): () => Promise<T> {
  let underWay: Promise<T> | undefined;
  return () => (underWay ??= look().finally(() => (underWay = undefined)));
}
