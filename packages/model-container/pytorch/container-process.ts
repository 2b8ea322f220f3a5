/** Entry of the process that is one PyTorch container: TorchServe's front, and workers that run AWS's toolkit in Python. */
import type { ContainerStart } from '../container-messages.ts';
import { type HostChannel, runContainer } from '../host-channel.ts';
import { listen, portOf } from '../loopback-server.ts';
import { createTorchFront } from './front-server.ts';
import { readTorchServeSettings } from './settings.ts';
import { startTorchWorker } from './torch-worker.ts';
import { startWorkerPool } from './worker-pool.ts';

/** Each holds the whole model, and Python besides; TorchServe itself starts one a core. */
const MAX_WORKERS = 2;

async function main(
  { modelDir, environment, networkIsolation, cores, pythons }: ContainerStart,
  { log, listening }: HostChannel,
): Promise<void> {
  const settings = readTorchServeSettings(environment);
  const python = pythons.engine;
  if (python === undefined) throw new Error('the PyTorch container was started without a Python');
  const size = settings.workers ?? Math.min(MAX_WORKERS, cores);
  const pool = await startWorkerPool(
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
  const front = createTorchFront(pool, settings.maxRequestBytes);
  await listen(front.server);
  log(`listening: PyTorch, ${size} ${size === 1 ? 'worker' : 'workers'}`);
  listening(portOf(front.server), front.path);
}

await runContainer(main);
