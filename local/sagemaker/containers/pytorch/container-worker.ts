/** Entry of the thread that is one PyTorch container: TorchServe's front, and workers that run AWS's toolkit in Python. */
import { parentPort, workerData } from 'node:worker_threads';
import type { ContainerMessage, ContainerWorkerData } from '../container-messages.ts';
import { listen, portOf } from '../loopback-server.ts';
import { createTorchFront } from './front-server.ts';
import { readTorchServeSettings } from './settings.ts';
import { startTorchWorker } from './torch-worker.ts';
import { startWorkerPool } from './worker-pool.ts';

const data: ContainerWorkerData = workerData;

function send(message: ContainerMessage): void {
  parentPort?.postMessage(message);
}

const log = (line: string): void => send({ kind: 'log', line });

/** Each holds the whole model, and Python besides; TorchServe itself starts one a core. */
const MAX_WORKERS = 2;

async function main(): Promise<void> {
  const settings = readTorchServeSettings(data.environment);
  const { modelDir, environment, networkIsolation, cores, pythons } = data;
  const python = pythons.engine;
  if (python === undefined) throw new Error('the PyTorch container was started without a Python');
  const size = settings.workers ?? Math.min(MAX_WORKERS, cores);
  const starting = startWorkerPool(
    size,
    () =>
      startTorchWorker({
        python,
        modelDir,
        environment,
        networkIsolation,
        threads: Math.max(1, Math.floor(cores / size)),
        responseTimeoutMs: settings.responseTimeoutSeconds * 1000,
        maxResponseBytes: settings.maxResponseBytes,
        log,
      }),
    log,
  );
  parentPort?.once('message', () => {
    void starting.then((pool) => pool.close()).finally(() => process.exit(0));
  });
  const front = createTorchFront(await starting, settings.maxRequestBytes);
  await listen(front);
  log(`listening: PyTorch, ${size} ${size === 1 ? 'worker' : 'workers'}`);
  send({ kind: 'listening', port: portOf(front) });
}

try {
  await main();
} catch (error) {
  const reason = error instanceof Error ? error.message : String(error);
  send({ kind: 'exited', reason });
  process.exit(1);
}
