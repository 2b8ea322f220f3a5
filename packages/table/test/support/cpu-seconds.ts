/** Seconds of processor that this thread spends on a piece of work: other programs on the machine do not count. */
export async function cpuSeconds(work: () => unknown): Promise<number> {
  const before = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1e6;
}
