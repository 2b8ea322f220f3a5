/** Looks of one console. */
export interface SharedLooks {
  /** A look that is under way is shared by all who ask meanwhile: a page and its bar, or several tabs. */
  share<T>(look: () => Promise<T>): () => Promise<T>;
  /** Lets nobody share what is under way, which may not have seen what was just changed. */
  forget(): void;
}

/** Begins with no look under way. */
export function sharedLooks(): SharedLooks {
  let changes = 0;
  return {
    share<T>(look: () => Promise<T>) {
      let underWay: Promise<T> | undefined;
      let seenChanges = changes;
      return () => {
        if (underWay !== undefined && seenChanges === changes) return underWay;
        seenChanges = changes;
        const own = look().finally(() => {
          if (underWay === own) underWay = undefined;
        });
        return (underWay = own);
      };
    },
    forget: () => void (changes += 1),
  };
}
