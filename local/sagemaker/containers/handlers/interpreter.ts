import { MessageChannel, Worker } from 'node:worker_threads';
import type { RestApi } from '../tensorflow/serving/rest-api.ts';
import type {
  Body,
  FromInterpreter,
  InterpreterSettings,
  RestCall,
  RestReply,
  ToInterpreter,
} from './messages.ts';
import { createOutbox } from './outbox.ts';
import type { HandlerAnswer, HandlerRequest } from './python-service.ts';
import { HandlerRefused } from './python-service.ts';

export interface InterpreterOptions {
  readonly modelDir: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly restPort: number;
  readonly hasTimeout: boolean;
  readonly restApi: RestApi;
  /** Path of the REST API that a request's input handler result is posted to. */
  readonly servingPath: (request: HandlerRequest) => string;
  /** Fields of the handlers' `context`, the content length left out. */
  readonly context: (request: HandlerRequest) => readonly (string | number | null)[];
  /** The answer in place of the output handler's, where the model server's own is not handed to it. */
  readonly answerFor: (served: RestReply) => HandlerAnswer | undefined;
  /** Python code that runs longer than this without a break is killed, as gunicorn does. */
  readonly timeoutMs: number;
  readonly log: (line: string) => void;
}

/** One Python interpreter in a thread of its own. */
export interface Interpreter {
  invoke(request: HandlerRequest): Promise<HandlerAnswer>;
  /** Resolves when the interpreter has gone, by itself or not. */
  readonly gone: Promise<void>;
  close(): Promise<void>;
}

interface Waiting {
  readonly path: string;
  readonly resolve: (answer: HandlerAnswer) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Boots an interpreter and loads code/inference.py into it.
 *
 * @throws {HandlerRefused} if the script cannot be imported there
 */
export async function startInterpreter(options: InterpreterOptions): Promise<Interpreter> {
  const { modelDir, environment, hasTimeout, restPort, restApi } = options;
  const signal = new Int32Array(new SharedArrayBuffer(4));
  const rest = new MessageChannel();
  const settings: InterpreterSettings = { modelDir, environment, hasTimeout, restPort, signal };
  const worker = new Worker(new URL('./pyodide-worker.ts', import.meta.url), {
    workerData: { settings, restPort: rest.port2 },
    transferList: [rest.port2],
    env: {},
  });
  const waiting = new Map<number, Waiting>();
  const patience = watch(options.timeoutMs, () => {
    options.log('[CRITICAL] WORKER TIMEOUT');
    void worker.terminate();
  });
  const deliver = createOutbox<ToInterpreter>((messages) => worker.postMessage(messages));
  const post = (message: ToInterpreter): void => {
    patience.begin();
    deliver(message);
  };
  let nextId = 0;

  rest.port1.on('message', (call: RestCall) => {
    const resume = patience.pause();
    void restApi.answer(call.method, call.path, toText(call.body)).then((reply: RestReply) => {
      resume();
      rest.port1.postMessage(reply);
      Atomics.store(signal, 0, 1);
      Atomics.notify(signal, 0);
    });
  });
  const serve = async (id: number, body: Body): Promise<void> => {
    const asked = waiting.get(id);
    if (!asked) return;
    const served = await restApi.answer('POST', asked.path, toText(body));
    const answer = options.answerFor(served);
    if (!answer) return post({ kind: 'served', id, status: served.status, body: served.body });
    deliver({ kind: 'forget', id });
    waiting.delete(id);
    asked.resolve(answer);
  };

  const booted = Promise.withResolvers<void>();
  const gone = Promise.withResolvers<void>();
  const receive = (message: FromInterpreter): void => {
    switch (message.kind) {
      case 'ready':
        return booted.resolve();
      case 'refused':
        return booted.reject(new HandlerRefused(message.reason));
      case 'log':
        return options.log(message.line);
      case 'serve':
        patience.end();
        return void serve(message.id, message.body);
      case 'answer': {
        patience.end();
        const { status, body, contentType } = message;
        waiting.get(message.id)?.resolve({ status, body, contentType });
        waiting.delete(message.id);
      }
    }
  };
  worker.on('message', (messages: readonly FromInterpreter[]) => messages.forEach(receive));
  worker.on('error', (error) => options.log(error instanceof Error ? error.message : String(error)));
  worker.on('exit', (code) => {
    patience.stop();
    rest.port1.close();
    const ended = new Error(`the Python interpreter ended with code ${code}`);
    booted.reject(ended);
    for (const { reject } of waiting.values()) reject(ended);
    waiting.clear();
    gone.resolve();
  });

  const close = async (): Promise<void> => {
    await worker.terminate();
    await gone.promise;
  };
  try {
    await booted.promise;
  } catch (error) {
    await close();
    throw error;
  }
  return {
    invoke(request) {
      const id = nextId++;
      const context = JSON.stringify(options.context(request));
      return new Promise((resolve, reject) => {
        waiting.set(id, { path: options.servingPath(request), resolve, reject });
        post({ kind: 'invoke', id, body: request.body, context });
      });
    },
    gone: gone.promise,
    close,
  };
}

interface Patience {
  /** One more piece of work was handed over. */
  begin(): void;
  /** One was given back: the interpreter is alive. */
  end(): void;
  /** The interpreter waits for somebody else until the returned function is called. */
  pause(): () => void;
  stop(): void;
}

/** Calls back if there was work for so long, and no sign of life. Real time: a container is another machine to the stack. */
function watch(timeoutMs: number, lose: () => void): Patience {
  let work = 0;
  let timer: NodeJS.Timeout | undefined;
  const rearm = (): void => {
    clearTimeout(timer);
    timer = work > 0 && timeoutMs > 0 ? setTimeout(lose, timeoutMs) : undefined;
  };
  return {
    begin() {
      work++;
      if (work === 1) rearm();
    },
    end() {
      work--;
      rearm();
    },
    pause() {
      clearTimeout(timer);
      return rearm;
    },
    stop() {
      clearTimeout(timer);
    },
  };
}

function toText(body: Body): string {
  return typeof body === 'string'
    ? body
    : Buffer.from(body.buffer, body.byteOffset, body.length).toString('utf8');
}
