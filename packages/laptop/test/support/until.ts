/** As long as vitest gives a test: no machine is so slow. */
const PATIENCE_MS = 600_000;

/** Waits, turn by turn of the event loop, until something is so; only a hang ends it. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const giveUpAt = performance.now() + PATIENCE_MS;
  while (!(await isSo())) {
    if (performance.now() > giveUpAt) throw new Error(`still not so after ${PATIENCE_MS / 1000} seconds`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}
