/** Waits for its turn, in order, and returns a function that frees the slot. */
export type Slots = () => Promise<() => void>;

/** At most `count` pieces of work at a time. */
export function createSlots(count: number): Slots {
  let free = count;
  const waiting: (() => void)[] = [];
  const release = (): void => {
    const next = waiting.shift();
    if (next) next();
    else free++;
  };
  return async () => {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    return release;
  };
}
