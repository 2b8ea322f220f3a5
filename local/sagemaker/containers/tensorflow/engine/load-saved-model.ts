import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { checkFeeds } from './check-feeds.ts';
import { InvalidFeeds, type ServableModel, type Signature, type Tensor } from './servable-model.ts';
import {
  packTensor,
  toError,
  unpackTensor,
  type ModelWorkerData,
  type WorkerMessage,
} from './worker-messages.ts';

/** More workers than this would only multiply the memory that the weights take. */
const MAX_WORKERS = 2;

/**
 * Loads the SavedModel of a version directory into worker threads, each with the whole model.
 *
 * @throws {UnsupportedModel} {BrokenModel}
 */
export async function loadSavedModel(
  versionDir: string,
  { workers = Math.min(MAX_WORKERS, availableParallelism()) }: { readonly workers?: number } = {},
): Promise<ServableModel> {
  const pool = Array.from({ length: workers }, () => new ModelThread({ versionDir }));
  const close = async () => {
    await Promise.all(pool.map((thread) => thread.close()));
  };
  try {
    const [signatures = []] = await Promise.all(pool.map((thread) => thread.loaded));
    return {
      signatures,
      async run(name, feeds) {
        const signature = signatures.find((known) => known.name === name);
        if (signature === undefined)
          throw new InvalidFeeds(`Serving signature name: "${name}" not found in signature def`);
        checkFeeds(signature, feeds);
        const idlest = pool.reduce((best, thread) => (thread.pending < best.pending ? thread : best));
        return idlest.run(name, feeds);
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

type Pending = PromiseWithResolvers<Map<string, Tensor>>;

/** One worker thread and the calls that it has not answered yet. */
class ModelThread {
  readonly loaded: Promise<readonly Signature[]>;
  readonly #worker: Worker;
  readonly #loading = Promise.withResolvers<readonly Signature[]>();
  readonly #calls = new Map<number, Pending>();
  readonly #exited = Promise.withResolvers<void>();
  #ended: Error | undefined;
  #lastId = 0;

  constructor(data: ModelWorkerData) {
    this.loaded = this.#loading.promise;
    this.loaded.catch(() => undefined);
    this.#worker = new Worker(new URL('./model-worker.ts', import.meta.url), { workerData: data });
    this.#worker.on('message', (message: WorkerMessage) => this.#receive(message));
    this.#worker.on('error', (error) => this.#end(error instanceof Error ? error : new Error(String(error))));
    this.#worker.on('exit', (code) => {
      this.#end(new Error(`The thread that runs the model ended with code ${code}`));
      this.#exited.resolve();
    });
  }

  get pending(): number {
    return this.#calls.size;
  }

  run(signature: string, feeds: ReadonlyMap<string, Tensor>): Promise<Map<string, Tensor>> {
    if (this.#ended !== undefined) return Promise.reject(this.#ended);
    const id = ++this.#lastId;
    const call: Pending = Promise.withResolvers();
    this.#calls.set(id, call);
    const packed = [...feeds].map(([name, tensor]) => [name, packTensor(tensor)] as const);
    this.#worker.postMessage({ id, signature, feeds: packed });
    return call.promise;
  }

  /** Lets the session go first: onnxruntime does not expect its thread to vanish. */
  async close(): Promise<void> {
    this.#end(new Error('The model is closed'));
    this.#worker.postMessage('close');
    await this.#exited.promise;
  }

  #receive(message: WorkerMessage): void {
    switch (message.kind) {
      case 'loaded':
        this.#loading.resolve(message.signatures);
        break;
      case 'refused':
        this.#loading.reject(toError(message.failure));
        break;
      case 'result':
        this.#calls
          .get(message.id)
          ?.resolve(new Map(message.outputs.map(([name, packed]) => [name, unpackTensor(packed)])));
        this.#calls.delete(message.id);
        break;
      case 'failed':
        this.#calls.get(message.id)?.reject(toError(message.failure));
        this.#calls.delete(message.id);
        break;
    }
  }

  #end(reason: Error): void {
    this.#ended ??= reason;
    this.#loading.reject(reason);
    for (const call of this.#calls.values()) call.reject(this.#ended);
    this.#calls.clear();
  }
}
