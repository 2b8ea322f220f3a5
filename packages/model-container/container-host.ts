import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCodeNotice } from './code-notice.ts';
import {
  type Container,
  ContainerExited,
  type ContainerSpec,
  ImageRefused,
  type StartContainer,
} from './container.ts';
import type { PythonChoice } from './container-kind.ts';
import { containerOf } from './container-kinds.ts';
import type { ContainerMessage, ContainerPythons, ContainerStart } from './container-messages.ts';
import { preparePython } from './prepare-python.ts';
import { type EngineName, requireEngine } from './python-environments/engine-environment.ts';

/** How containers run their models. */
export interface ContainerHostOptions extends Partial<PythonChoice> {
  /** URL of a module that exports `loadSavedModel`; the engine of this stack by default. */
  readonly engineModule?: string;
  /** Takes a line for the laptop's user; stderr by default. */
  readonly notice?: (line: string) => void;
}

const ENGINES = {
  onnxruntime: import.meta.resolve('#savedmodel/load-saved-model'),
  python: import.meta.resolve('#model-container/tensorflow/engine/load-in-tensorflow.ts'),
} as const;

/** SageMaker gives containers 30 seconds between SIGTERM and SIGKILL; nothing here needs so long. */
const STOP_GRACE_MS = 2_000;

/** Runs each container in a process of its own: a crash, or running out of memory, stops only that container. */
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
    const kind = containerOf(spec, choice);
    if ('refusal' in kind) throw new ImageRefused(kind.refusal);
    if (kind.needs !== null) refuseWithout(kind.needs, spec.image);
    const place = kind.scriptsRunIn(choice);
    const noticed = place === null ? Promise.resolve() : notice(spec, place);
    const prepared = noticed.then(() => preparePython(kind, spec, choice));
    return new ContainerProcess(spec, kind.entry, engineModule, prepared);
  };
}

/** URL of the module with the TensorFlow container's `loadSavedModel`. */
export function engineModuleOf({ engineModule, engine = 'onnxruntime' }: ContainerHostOptions): string {
  return engineModule ?? ENGINES[engine];
}

/** Refused at once, with the command to run, instead of starting a container that would exit. */
function refuseWithout(engine: EngineName, image: string): void {
  try {
    requireEngine(engine);
  } catch (error) {
    throw new ImageRefused(`image ${image}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** A container and its process, which starts once its Pythons are prepared. */
class ContainerProcess implements Container {
  readonly #spec: ContainerSpec;
  readonly #listening = Promise.withResolvers<URL>();
  readonly listening = this.#listening.promise;
  readonly #ended = new AbortController();
  readonly ended = this.#ended.signal;
  readonly #gone = Promise.withResolvers<void>();
  #reason = 'the container ended';
  #stopped = false;
  #child: ChildProcess | undefined;

  constructor(spec: ContainerSpec, entry: string, engineModule: string, prepared: Promise<ContainerPythons>) {
    const { image, modelDir, cores = availableParallelism(), environment, networkIsolation } = spec;
    this.#spec = spec;
    this.listening.catch(() => undefined);
    prepared.then(
      (pythons) =>
        this.#start(entry, { image, modelDir, cores, environment, networkIsolation, engineModule, pythons }),
      (error: unknown) => {
        this.#fail(error instanceof Error ? error.message : String(error));
        this.#end();
      },
    );
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    const child = this.#child;
    if (child === undefined) return this.#end();
    child.send('stop', () => undefined);
    const killed = setTimeout(() => killAll(child), STOP_GRACE_MS);
    await this.#gone.promise;
    clearTimeout(killed);
  }

  #start(entry: string, settings: ContainerStart): void {
    if (this.#stopped) return this.#end();
    const child = fork(entry, {
      execArgv: [],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      detached: GROUPED,
    });
    this.#child = child;
    child.on('message', (message: ContainerMessage) => this.#receive(message));
    child.on('error', (error) => this.#fail(error.message));
    child.on('exit', (_code, signal) => {
      if (signal !== null) this.#reason = `the container ended with ${signal}`;
      killAll(child);
    });
    const exited = once(child, 'exit');
    // When its last message has been read, which may be after its end.
    const silent = once(child, 'disconnect');
    const end = (): void => this.#end();
    Promise.all([exited, silent]).then(end, end);
    child.send(settings, () => undefined);
  }

  #receive(message: ContainerMessage): void {
    switch (message.kind) {
      case 'log':
        return this.#spec.log(message.line);
      case 'listening':
        return this.#listening.resolve(new URL(`http://127.0.0.1:${message.port}${message.path}`));
      case 'exited':
        return this.#fail(message.reason);
      case 'stopped':
    }
  }

  #fail(reason: string): void {
    this.#reason = reason;
    this.#spec.log(reason);
  }

  #end(): void {
    this.#gone.resolve();
    const exited = new ContainerExited(this.#reason);
    this.#listening.reject(exited);
    if (!this.#stopped && !this.ended.aborted) this.#ended.abort(exited);
  }
}

/** Windows has no process groups; a container that is killed there leaves child processes that ignore its closed channel. */
const GROUPED = process.platform !== 'win32';

/** The container and whatever it has started: it leads a process group. */
function killAll(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(GROUPED ? -child.pid : child.pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}
