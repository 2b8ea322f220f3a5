import type { TorchAnswer, TorchRequest, TorchWorker } from './torch-worker.ts';

/** The container's workers: requests wait in a queue until one is idle, and a worker that died is replaced. */
export interface WorkerPool {
  /** @throws {QueueFull} {Error} `Worker died.` */
  predict(request: TorchRequest): Promise<TorchAnswer>;
  /** Whether at least one worker lives. */
  readonly healthy: boolean;
  close(): Promise<void>;
}

/** TorchServe takes no more than its queue holds. */
export class QueueFull extends Error {
  override readonly name = 'QueueFull';
}

const QUEUE_SIZE = 100;

/** Starts all workers; one that cannot load the model refuses the container. */
export async function startWorkerPool(
  size: number,
  start: () => Promise<TorchWorker>,
  log: (line: string) => void,
): Promise<WorkerPool> {
  const workers = new Set<TorchWorker>();
  const waiting: (() => void)[] = [];
  let closed = false;
  const add = async (): Promise<void> => {
    const worker = await start();
    if (closed) return worker.close();
    workers.add(worker);
    void worker.gone.then(() => {
      workers.delete(worker);
      if (closed) return;
      add().catch((error: unknown) => log(`A worker cannot be started again: ${String(error)}`));
    });
    waiting.shift()?.();
  };
  await Promise.all(Array.from({ length: size }, add));

  const idleWorker = async (): Promise<TorchWorker> => {
    for (;;) {
      const idle = [...workers].find((worker) => worker.idle);
      if (idle) return idle;
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
  };
  return {
    get healthy() {
      return workers.size > 0;
    },
    async predict(request) {
      if (waiting.length >= QUEUE_SIZE)
        throw new QueueFull(
          'Model "model" has no worker to serve inference request. Please use scale workers API to add workers. If ' +
            'this is a sequence inference, please check if it is closed, or expired; or exceeds maxSequenceJobQueueSize',
        );
      const worker = await idleWorker();
      try {
        return await worker.predict(request);
      } finally {
        waiting.shift()?.();
      }
    },
    async close() {
      closed = true;
      await Promise.all([...workers].map((worker) => worker.close()));
    },
  };
}
