import { checkFeeds } from '@inferdrop/savedmodel/internal/check-feeds';
import {
  BrokenModel,
  InvalidFeeds,
  type ServableModel,
  type Signature,
  type Tensor,
} from '@inferdrop/savedmodel/servable-model';
import type { FrameProcess } from '../../python-process/frame-process.ts';
import { startPythonProcess } from '../../python-process/python-process.ts';
import { describeTensors, readTensors, TensorFlowMessage, toSignature } from './tensorflow-messages.ts';

interface TensorFlowOptions {
  /** Requests that run at once, and threads of TensorFlow's pools. */
  readonly workers: number;
  /** Interpreter of an environment with TensorFlow. */
  readonly python?: string | undefined;
  readonly log?: (line: string) => void;
}

/**
 * Loads a SavedModel into TensorFlow itself, in a process of its own. TensorFlow aborts its process for some inputs that
 * do not fit the graph: shapes are compared with the signature first, and a process that dies all the same is replaced.
 *
 * @throws {BrokenModel} with TensorFlow's words {UnsupportedModel} for signatures that requests cannot express
 */
export async function loadSavedModel(versionDir: string, options: TensorFlowOptions): Promise<ServableModel> {
  let closed = false;
  const start = (): Promise<LoadedProcess> => startTensorFlow(versionDir, options);
  let current = start();
  const { signatures } = await current;
  const supervise = (process: LoadedProcess): void => {
    void process.gone.then((reason) => {
      if (closed) return;
      options.log?.(`${reason}; it is started again`);
      current = start();
      current.then(supervise, (error: unknown) => options.log?.(String(error)));
    });
  };
  supervise(await current);
  return {
    signatures,
    async run(name, feeds) {
      checkFeeds(signatures, name, feeds);
      return (await current).run(name, feeds);
    },
    async close() {
      closed = true;
      await (await current).kill();
    },
  };
}

interface LoadedProcess {
  readonly signatures: readonly Signature[];
  run(signature: string, feeds: ReadonlyMap<string, Tensor>): Promise<Map<string, Tensor>>;
  readonly gone: Promise<string>;
  kill(): Promise<void>;
}

async function startTensorFlow(versionDir: string, options: TensorFlowOptions): Promise<LoadedProcess> {
  const { python, workers, log = () => undefined } = options;
  if (python === undefined) throw new TypeError('TensorFlow needs the Python of an environment that has it');
  const loaded = Promise.withResolvers<readonly Signature[]>();
  const calls = new Map<number, PromiseWithResolvers<Map<string, Tensor>>>();
  const settle = (id: number) => {
    const call = calls.get(id);
    calls.delete(id);
    return call;
  };
  const child: FrameProcess = startPythonProcess({
    python,
    script: new URL(import.meta.resolve('#model-container/tensorflow/engine/python/tensorflow_model.py')),
    settings: { versionDir, threads: workers },
    environment: {},
    log,
    onFrame({ header, body }) {
      const message = TensorFlowMessage.parse(header);
      switch (message.kind) {
        case 'loaded':
          return resolveSignatures(message.signatures, loaded);
        case 'refused':
          return loaded.reject(new BrokenModel(message.message));
        case 'result':
          return settle(message.id)?.resolve(readTensors(message.outputs, body));
        case 'failed':
          return settle(message.id)?.reject(
            message.invalid ? new InvalidFeeds(message.message) : new Error(message.message),
          );
      }
    },
  });
  void child.gone.then((reason) => {
    const ended = new Error(reason);
    loaded.reject(ended);
    for (const call of calls.values()) call.reject(ended);
    calls.clear();
  });
  let lastId = 0;
  const signatures = await loaded.promise.catch(async (error: unknown) => {
    await child.kill();
    throw error;
  });
  return {
    signatures,
    run(signature, feeds) {
      const id = ++lastId;
      const call = Promise.withResolvers<Map<string, Tensor>>();
      calls.set(id, call);
      const { described, parts } = describeTensors(feeds);
      child.send({ id, signature, feeds: described }, parts);
      return call.promise;
    },
    gone: child.gone,
    kill: () => child.kill(),
  };
}

function resolveSignatures(
  specs: Parameters<typeof toSignature>[0][],
  loaded: PromiseWithResolvers<readonly Signature[]>,
): void {
  try {
    loaded.resolve(specs.map(toSignature));
  } catch (error) {
    loaded.reject(error);
  }
}
