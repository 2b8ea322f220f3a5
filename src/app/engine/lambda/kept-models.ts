/** A model that can be closed, and the memory that it takes where that is known only once it is open. */
interface Closable {
  readonly bytes?: number;
  close(): Promise<void>;
}

/** A model that is open or is being opened, and the memory that is counted for it. */
interface Kept<M extends Closable> {
  bytes: number;
  readonly opening: Promise<M>;
}

/** Opens a model, or gives the one that is open under the same key; `weigh` gives the bytes of memory to count for it. */
type OpenKept<M extends Closable> = (
  key: string,
  weigh: () => Promise<number>,
  open: () => Promise<M>,
) => Promise<M>;

/**
 * Keeps models open for later requests. Before one is opened, those that were asked for longest ago are closed until all together count
 * at most `maxBytes`; the last one is kept whatever it counts. Models are opened one after the other.
 *
 * @param needsRoom whether a failure to open is for want of room, so that it is tried again without the others
 */
export function keepModels<M extends Closable>(
  maxBytes: number,
  needsRoom: (error: unknown) => boolean = () => false,
): OpenKept<M> {
  const all = new Map<string, Kept<M>>();
  let before: Promise<unknown> = Promise.resolve();
  /** Whether another model was closed. */
  const makeRoom = async (own: Kept<M>, most: number): Promise<boolean> => {
    let closed = false;
    for (const [key, one] of all) {
      // Of the others those that come later are not opened before this one.
      if (one === own || [...all.values()].reduce((sum, { bytes }) => sum + bytes, 0) <= most) break;
      all.delete(key);
      // If its script has died, it can't be closed. That isn't a failure of the next.
      await (await one.opening).close().catch(() => undefined);
      closed = true;
    }
    return closed;
  };
  return async (key, weigh, open) => {
    const found = all.get(key);
    if (found !== undefined) {
      // A map lists its keys in the order in which they were set: the one of longest ago is the first.
      all.delete(key);
      all.set(key, found);
      return found.opening;
    }
    const opening = before.then(async () => {
      own.bytes = await weigh();
      await makeRoom(own, maxBytes);
      const opened = await open().catch(async (error: unknown) => {
        if (needsRoom(error) && (await makeRoom(own, 0))) return open();
        throw error;
      });
      own.bytes = Math.max(own.bytes, opened.bytes ?? 0);
      return opened;
    });
    const own: Kept<M> = { bytes: 0, opening };
    all.set(key, own);
    before = opening.catch(() => {
      if (all.get(key) === own) all.delete(key);
    });
    return opening;
  };
}
