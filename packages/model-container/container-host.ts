import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createCodeNotice } from './code-notice.ts';
import {
  type Container,
  ContainerExited,
  type ContainerSpec,
  ImageRefused,
  type StartContainer,
} from './container.ts';
import type { ContainerMessage, ContainerPythons, ContainerStart } from './container-messages.ts';
import { resolveContainerKind } from './image.ts';
import { preparePython, type PythonChoice } from './prepare-python.ts';
import { requireEngine } from './python-environments/engine-environment.ts';

/** How containers run their models. */
export interface ContainerHostOptions extends Partial<PythonChoice> {
  /** URL of a module that exports `loadSavedModel`; the engine of this stack by default. */
  readonly engineModule?: string;
  /** Takes a line for the laptop's user; stderr by default. */
  readonly notice?: (line: string) => void;
}

const ENGINES = {
  onnxruntime: import.meta.resolve('@inferdrop/savedmodel/load-saved-model'),
  python: new URL('./tensorflow/engine/load-in-tensorflow.ts', import.meta.url).href,
} as const;

const ENTRIES = {
  tensorflow: fileURLToPath(new URL('./tensorflow/container-process.ts', import.meta.url)),
  pytorch: fileURLToPath(new URL('./pytorch/container-process.ts', import.meta.url)),
} as const;

/** SageMaker gives containers 30 seconds between SIGTERM and SIGKILL; nothing here needs so long. */
const STOP_GRACE_MS = 2_000;

/** Runs each container in a process of its own: a crash, or running out of memory, ends that container only. */
export function createContainerHost(options: ContainerHostOptions = {}): StartContainer {
  const choice: PythonChoice = {
    handlers: options.handlers ?? 'pyodide',
    engine: options.engine ?? 'onnxruntime',
    environmentsDir: options.environmentsDir ?? join(tmpdir(), 'inferdrop-python-environments'),
  };
  const engineModule = engineModuleOf(options);
  const notice = createCodeNotice(
    options.notice ?? ((line) => void process.stderr.write(`sagemaker: ${line}\n`)),
  );
  return (spec) => {
    const container = resolveContainerKind(spec.image);
    if (container.kind === 'refused') throw new ImageRefused(container.reason);
    const { kind } = container;
    if (kind === 'pytorch') refuseWithout(kind, spec.image);
    const place = kind === 'pytorch' ? 'python' : choice.handlers;
    const prepared = notice(spec, place).then(() => preparePython(kind, spec, choice));
    return startProcess(spec, ENTRIES[kind], engineModule, prepared);
  };
}

/** URL of the module whose `loadSavedModel` the TensorFlow container uses. */
export function engineModuleOf({ engineModule, engine = 'onnxruntime' }: ContainerHostOptions): string {
  return engineModule ?? ENGINES[engine];
}

/** Refused at once, with the command to run, instead of by a container that ends. */
function refuseWithout(engine: 'pytorch', image: string): void {
  try {
    requireEngine(engine);
  } catch (error) {
    throw new ImageRefused(`image ${image}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function startProcess(
  spec: ContainerSpec,
  entry: string,
  engineModule: string,
  prepared: Promise<ContainerPythons>,
): Container {
  const { image, modelDir, cores = availableParallelism(), environment, networkIsolation } = spec;
  const listening = Promise.withResolvers<URL>();
  listening.promise.catch(() => undefined);
  const ended = new AbortController();
  let reason = 'the container ended';
  let stopped = false;
  let child: ChildProcess | undefined;
  const gone = Promise.withResolvers<void>();
  const end = (): void => {
    gone.resolve();
    const exited = new ContainerExited(reason);
    listening.reject(exited);
    if (!stopped && !ended.signal.aborted) ended.abort(exited);
  };
  const start = (pythons: ContainerPythons): void => {
    if (stopped) return end();
    const settings: ContainerStart = {
      image,
      modelDir,
      cores,
      environment,
      networkIsolation,
      engineModule,
      pythons,
    };
    child = fork(entry, { execArgv: [], stdio: ['ignore', 'inherit', 'inherit', 'ipc'], detached: GROUPED });
    child.on('message', (message: ContainerMessage) => {
      switch (message.kind) {
        case 'log':
          return spec.log(message.line);
        case 'listening':
          return listening.resolve(new URL(`http://127.0.0.1:${message.port}${message.path}`));
        case 'exited':
          reason = message.reason;
          spec.log(message.reason);
          break;
        case 'stopped':
      }
    });
    child.on('error', (error) => {
      reason = error.message;
      spec.log(reason);
    });
    child.on('exit', (_code, signal) => {
      if (signal !== null) reason = `the container ended with ${signal}`;
      killAll(child);
    });
    const exited = once(child, 'exit');
    // When its last message has been read, which may be after its end.
    const silent = once(child, 'disconnect');
    Promise.all([exited, silent]).then(end, end);
    child.send(settings, () => undefined);
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
      if (child === undefined) return end();
      child.send('stop', () => undefined);
      const killed = setTimeout(() => killAll(child), STOP_GRACE_MS);
      await gone.promise;
      clearTimeout(killed);
    },
  };
}

/** Windows has no process groups; a container that is killed there leaves child processes that ignore its closed channel. */
const GROUPED = process.platform !== 'win32';

/** The container and whatever it has started: it leads a process group. */
function killAll(child: ChildProcess | undefined): void {
  if (child?.pid === undefined) return;
  try {
    process.kill(GROUPED ? -child.pid : child.pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}
