import { fork, type ChildProcess } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { checkFeeds } from './check-feeds.ts';
import { InvalidFeeds, type ServableModel, type Signature, type Tensor } from './servable-model.ts';
import { packTensor, toError, unpackTensor, type ProcessMessage } from './process-messages.ts';

const ENTRY = fileURLToPath(new URL('./model-process.ts', import.meta.url));

/** More workers than this would only multiply the memory that the weights take. */
const MAX_WORKERS = 2;

/**
 * Loads the SavedModel of a version directory into processes of its own, each with the whole model.
 *
 * @throws {UnsupportedModel} {BrokenModel}
 */
export async function loadSavedModel(
  versionDir: string,
  { workers = Math.min(MAX_WORKERS, availableParallelism()) }: { readonly workers?: number } = {},
): Promise<ServableModel> {
  const pool = Array.from({ length: workers }, () => new ModelProcess(versionDir));
  const close = async () => {
    await Promise.all(pool.map((model) => model.close()));
  };
  try {
    const [signatures = []] = await Promise.all(pool.map((model) => model.loaded));
    return {
      signatures,
      async run(name, feeds) {
        const signature = signatures.find((known) => known.name === name);
        if (signature === undefined)
          throw new InvalidFeeds(`Serving signature name: "${name}" not found in signature def`);
        checkFeeds(signature, feeds);
        const idlest = pool.reduce((best, model) => (model.pending < best.pending ? model : best));
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

/** One process and the calls that it has not answered yet. */
class ModelProcess {
  readonly loaded: Promise<readonly Signature[]>;
  readonly #child: ChildProcess;
  readonly #loading = Promise.withResolvers<readonly Signature[]>();
  readonly #calls = new Map<number, Pending>();
  readonly #exited = Promise.withResolvers<void>();
  #ended: Error | undefined;
  #lastId = 0;

  constructor(versionDir: string) {
    this.loaded = this.#loading.promise;
    this.loaded.catch(() => undefined);
    this.#child = fork(ENTRY, [versionDir], {
      execArgv: [],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    this.#child.on('message', (message: ProcessMessage) => this.#receive(message));
    this.#child.on('error', (error) => this.#end(error));
    this.#child.on('exit', (code, signal) => {
      this.#end(new Error(`The process that runs the model ended with ${signal ?? `code ${code}`}`));
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
    this.#child.send({ id, signature, feeds: packed }, (error) => {
      if (error !== null) this.#end(error);
    });
    return call.promise;
  }

  async close(): Promise<void> {
    this.#end(new Error('The model is closed'));
    this.#child.kill('SIGKILL');
    await this.#exited.promise;
  }

  #receive(message: ProcessMessage): void {
    switch (message.kind) {
      case 'loaded':
        return this.#loading.resolve(message.signatures);
      case 'refused':
        return this.#loading.reject(toError(message.failure));
      case 'result': {
        const outputs = message.outputs.map(([name, packed]) => [name, unpackTensor(packed)] as const);
        return this.#settle(message.id)?.resolve(new Map(outputs));
      }
      case 'failed':
        return this.#settle(message.id)?.reject(toError(message.failure));
    }
  }

  #settle(id: number): Pending | undefined {
    const call = this.#calls.get(id);
    this.#calls.delete(id);
    return call;
  }

  #end(reason: Error): void {
    this.#ended ??= reason;
    this.#loading.reject(this.#ended);
    for (const call of this.#calls.values()) call.reject(this.#ended);
    this.#calls.clear();
  }
}
