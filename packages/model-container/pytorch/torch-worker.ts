import * as z from 'zod';
import type { FrameProcess } from '../python-process/frame-process.ts';
import { FIELD_NAME, FIELD_VALUE, STATUS } from '../python-process/http-answer.ts';
import { startPythonProcess } from '../python-process/python-process.ts';

/** A request to `/invocations`, as the handler is given it. */
export interface TorchRequest {
  /** A random UUID, which the handler finds in its context. */
  readonly requestId: string;
  /** Headers by their names as they were sent: handlers look for some spellings only. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** An answer of the handler, or TorchServe's own in its place. */
export type TorchAnswer =
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly headers: Record<string, string>;
      readonly body: Buffer;
    }
  | { readonly kind: 'failed'; readonly status: number; readonly message: string };

interface TorchWorkerOptions {
  readonly python: string;
  readonly modelDir: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly networkIsolation: boolean;
  /** Threads of PyTorch's own pool. */
  readonly threads: number;
  readonly responseTimeoutMs: number;
  readonly maxResponseBytes: number;
  readonly log: (line: string) => void;
}

/** A process with the model in it, which answers one request after the other. */
export interface TorchWorker {
  /** Whether it can be handed a request now. */
  readonly idle: boolean;
  /** Rejects if the worker dies, or is killed because it took too long or said too much. */
  predict(request: TorchRequest): Promise<TorchAnswer>;
  /** Resolves when the process has ended. */
  readonly gone: Promise<string>;
  close(): Promise<void>;
}

/**
 * The user's code can write all of it as well: an answer that is not HTTP would end the container, and not only the worker
 * that wrote it.
 */
const Header = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ready') }),
  z.object({ kind: z.literal('refused'), reason: z.string() }),
  z.object({
    kind: z.literal('answer'),
    id: z.int(),
    status: STATUS,
    headers: z.record(z.string().regex(FIELD_NAME), z.string().regex(FIELD_VALUE)),
  }),
  z.object({ kind: z.literal('failed'), id: z.int(), status: STATUS, message: z.string() }),
]);

/** Starts a worker. @throws {Error} with the exception of `model_fn` or of the script's import */
export async function startTorchWorker(options: TorchWorkerOptions): Promise<TorchWorker> {
  const { python, modelDir, environment, networkIsolation, threads, log } = options;
  const ready = Promise.withResolvers<void>();
  let current: PromiseWithResolvers<TorchAnswer> | undefined;
  let id = 0;
  const child: FrameProcess = startPythonProcess({
    python,
    script: new URL(import.meta.resolve('#model-container/pytorch/python/torch_worker.py')),
    settings: { modelDir, threads, reachablePorts: networkIsolation ? [] : null },
    environment,
    log,
    onFrame({ header, body }) {
      const message = Header.parse(header);
      if (message.kind === 'ready') return ready.resolve();
      if (message.kind === 'refused') return ready.reject(new Error(message.reason));
      if (body.length > options.maxResponseBytes) {
        log(
          `Message size exceed limit: ${body.length}. Consider increasing TS_MAX_RESPONSE_SIZE, which is ${options.maxResponseBytes}`,
        );
        return void child.kill();
      }
      // What comes late, of a request that has its answer, is no answer to the next one.
      if (message.id !== id) return;
      const answered = current;
      current = undefined;
      answered?.resolve(message.kind === 'answer' ? { ...message, body } : message);
    },
  });
  void child.gone.then((reason) => {
    ready.reject(new Error(reason));
    current?.reject(new Error('Worker died.'));
  });
  await ready.promise;
  return {
    get idle() {
      return current === undefined;
    },
    async predict({ requestId, headers, body }) {
      const asked = Promise.withResolvers<TorchAnswer>();
      current = asked;
      const patience = setTimeout(() => {
        log('Backend worker did not respond in given time');
        void child.kill();
      }, options.responseTimeoutMs);
      child.send({ id: ++id, requestId, headers }, [body]);
      try {
        return await asked.promise;
      } finally {
        clearTimeout(patience);
      }
    },
    gone: child.gone,
    close: () => child.kill(),
  };
}
