/** Shares of the function's memory: what lies below the first is not noted, and each note is of more by the second. */
const FROM = 0.5;
const STEP = 0.05;

/** The memory of a function's process. */
export interface FunctionMemory {
  /** Memory of the function in MB, by which its time is paid. */
  readonly memoryMB: number;
  /** The most memory in MB that this process has had. */
  readonly peakMB: () => number;
  /** Calls back several times a second, until what it returns is called. */
  readonly ticks: (call: () => void) => () => void;
}

/**
 * Notes the memory of this process when it comes near the function's limit: a process that runs out of memory is killed without a
 * message. A note that fails is left out.
 *
 * @returns a function that stops the watch, and resolves when its notes are stored
 */
export function watchMemory(
  { memoryMB, peakMB, ticks }: FunctionMemory,
  note: (peakMB: number) => Promise<void>,
): () => Promise<void> {
  let next = memoryMB * FROM;
  let noted = Promise.resolve();
  const stop = ticks(() => {
    const now = peakMB();
    if (now < next) return;
    next = now + memoryMB * STEP;
    noted = noted.then(() => note(now)).catch(() => undefined);
  });
  return async () => {
    stop();
    await noted;
  };
}
