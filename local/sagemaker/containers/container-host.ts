import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Container, ContainerSpec, StartContainer } from './container.ts';
import { ContainerExited, ImageRefused } from './container.ts';
import type { ContainerMessage, ContainerPythons, ContainerWorkerData } from './container-messages.ts';
import { resolveContainerKind } from './image.ts';
import type { PythonChoice } from './prepare-python.ts';
import { preparePython } from './prepare-python.ts';
import { requireEngine } from './python-environments/engine-environment.ts';

export interface ContainerHostOptions extends Partial<PythonChoice> {
  /** URL of a module that exports `loadSavedModel`; the engine of this stack by default. */
  readonly engineModule?: string;
}

const ENGINES = {
  onnxruntime: new URL('./tensorflow/engine/load-saved-model.ts', import.meta.url).href,
  python: new URL('./tensorflow/engine/load-in-tensorflow.ts', import.meta.url).href,
} as const;

const WORKERS = {
  tensorflow: new URL('./tensorflow/container-worker.ts', import.meta.url),
  pytorch: new URL('./pytorch/container-worker.ts', import.meta.url),
} as const;

/** SageMaker gives containers 30 seconds between SIGTERM and SIGKILL; nothing here needs so long. */
const STOP_GRACE_MS = 2_000;

/** Runs each container in a thread of its own, with its own memory: what crashes there ends that container only. */
export function createContainerHost(options: ContainerHostOptions = {}): StartContainer {
  const choice: PythonChoice = {
    handlers: options.handlers ?? 'pyodide',
    engine: options.engine ?? 'onnxruntime',
    environmentsDir: options.environmentsDir ?? join(tmpdir(), 'inferdrop-python-environments'),
  };
  const engineModule = engineModuleOf(options);
  return (spec) => {
    const container = resolveContainerKind(spec.image);
    if (container.kind === 'refused') throw new ImageRefused(container.reason);
    const { kind } = container;
    if (kind === 'pytorch') refuseWithout(kind, spec.image);
    return startThread(spec, WORKERS[kind], engineModule, preparePython(kind, spec, choice));
  };
}

/** URL of the module whose `loadSavedModel` the TensorFlow container uses. */
export function engineModuleOf({ engineModule, engine = 'onnxruntime' }: ContainerHostOptions): string {
  return engineModule ?? ENGINES[engine];
}

/** Told at once, with the command, and not by a container that ends. */
function refuseWithout(engine: 'pytorch', image: string): void {
  try {
    requireEngine(engine);
  } catch (error) {
    throw new ImageRefused(`image ${image}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function startThread(
  spec: ContainerSpec,
  entry: URL,
  engineModule: string,
  prepared: Promise<ContainerPythons>,
): Container {
  const { image, modelDir, cores = availableParallelism(), environment, networkIsolation } = spec;
  const listening = Promise.withResolvers<URL>();
  listening.promise.catch(() => undefined);
  const ended = new AbortController();
  let reason = 'the container ended';
  let stopped = false;
  let worker: Worker | undefined;
  const gone = Promise.withResolvers<void>();
  const end = (): void => {
    gone.resolve();
    const exited = new ContainerExited(reason);
    listening.reject(exited);
    if (!stopped && !ended.signal.aborted) ended.abort(exited);
  };
  const start = (pythons: ContainerPythons): void => {
    if (stopped) return end();
    const workerData: ContainerWorkerData = {
      image,
      modelDir,
      cores,
      environment,
      networkIsolation,
      engineModule,
      pythons,
    };
    worker = new Worker(entry, { workerData });
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
  };
  prepared.then(start, (error: unknown) => {
    reason = error instanceof Error ? error.message : String(error);
    spec.log(reason);
    end();
  });
  return {
    listening: listening.promise,
    ended: ended.signal,
    async stop() {
      stopped = true;
      if (!worker) return end();
      worker.postMessage('stop');
      const killed = setTimeout(() => void worker?.terminate(), STOP_GRACE_MS);
      await gone.promise;
      clearTimeout(killed);
    },
  };
}
