import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Container, ContainerSpec, StartContainer } from './container.ts';
import { ContainerExited, ImageRefused } from './container.ts';
import type { ContainerMessage, ContainerWorkerData } from './container-messages.ts';
import { resolveContainerKind } from './image.ts';

export interface ContainerHostOptions {
  /** URL of a module that exports `loadSavedModel`; the engine of this stack by default. */
  readonly engineModule?: string;
}

const ENGINE = new URL('./tensorflow/engine/load-saved-model.ts', import.meta.url).href;

/** SageMaker gives containers 30 seconds between SIGTERM and SIGKILL; nothing here needs so long. */
const STOP_GRACE_MS = 2_000;

/** Runs each container in a thread of its own, with its own memory: what crashes there ends that container only. */
export function createContainerHost(options: ContainerHostOptions = {}): StartContainer {
  return (spec) => {
    const kind = resolveContainerKind(spec.image);
    if (kind.kind === 'refused') throw new ImageRefused(kind.reason);
    return startThread(spec, options.engineModule ?? ENGINE);
  };
}

function startThread(spec: ContainerSpec, engineModule: string): Container {
  const { image, modelDir, cores = availableParallelism(), environment } = spec;
  const data: ContainerWorkerData = { image, modelDir, cores, environment, engineModule };
  const worker = new Worker(new URL('./tensorflow/container-worker.ts', import.meta.url), {
    workerData: data,
  });
  const listening = Promise.withResolvers<URL>();
  listening.promise.catch(() => undefined);
  const ended = new AbortController();
  let reason = 'the container ended';
  let stopped = false;
  const gone = Promise.withResolvers<void>();
  const end = (): void => {
    gone.resolve();
    const exited = new ContainerExited(reason);
    listening.reject(exited);
    if (!stopped && !ended.signal.aborted) ended.abort(exited);
  };
  worker.on('message', (message: ContainerMessage) => {
    switch (message.kind) {
      case 'log':
        return spec.log(message.line);
      case 'listening':
        return listening.resolve(new URL(`http://127.0.0.1:${message.port}`));
      case 'exited':
        reason = message.reason;
        spec.log(message.reason);
    }
  });
  worker.on('error', (error) => {
    reason = error instanceof Error ? error.message : String(error);
    spec.log(reason);
  });
  worker.on('exit', end);
  return {
    listening: listening.promise,
    ended: ended.signal,
    async stop() {
      stopped = true;
      worker.postMessage('stop');
      const killed = setTimeout(() => void worker.terminate(), STOP_GRACE_MS);
      await gone.promise;
      clearTimeout(killed);
    },
  };
}
