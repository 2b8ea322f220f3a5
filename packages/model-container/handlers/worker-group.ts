import type { PythonService } from './python-service.ts';

/**
 * Several copies of one service, as gunicorn's workers are: each request goes to the one that has fewest.
 *
 * @throws {HandlerRefused} if a copy does not start
 */
export async function startWorkerGroup(
  size: number,
  start: () => Promise<PythonService>,
): Promise<PythonService> {
  const started = await Promise.allSettled(Array.from({ length: size }, start));
  const workers = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const close = async (): Promise<void> => {
    await Promise.all(workers.map((worker) => worker.close()));
  };
  for (const one of started) {
    if (one.status === 'fulfilled') continue;
    await close();
    throw one.reason;
  }
  const underWay = new Map(workers.map((worker) => [worker, 0]));
  const add = (worker: PythonService, count: number): void =>
    void underWay.set(worker, (underWay.get(worker) ?? 0) + count);
  return {
    async invoke(request) {
      const [[worker] = []] = [...underWay].sort(([, one], [, other]) => one - other);
      if (worker === undefined) throw new Error('The Python service has no workers');
      add(worker, 1);
      try {
        return await worker.invoke(request);
      } finally {
        add(worker, -1);
      }
    },
    async renew() {
      await Promise.all(workers.map((worker) => worker.renew()));
    },
    close,
  };
}
