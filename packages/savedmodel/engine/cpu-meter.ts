/** Reading the processor time costs as much as a small model's layer, so it's read only now and then. */
const MEASURED_EVERY = 16;

/**
 * Begins to measure one call in eight; what it returns gives the processor time since then in milliseconds, undefined for
 * the other calls.
 */
export function createCpuMeter(): () => () => number | undefined {
  let calls = 0;
  return () => {
    if (calls++ % MEASURED_EVERY >= 2) return () => undefined;
    const before = process.cpuUsage();
    return () => {
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1000;
    };
  };
}
