import { MessageChannel, Worker } from 'node:worker_threads';
import type { RestApi } from '../tensorflow/serving/rest-api.ts';
import type {
  ContextValues,
  FromInterpreter,
  InterpreterSettings,
  RestCall,
  RestReply,
  ToInterpreter,
} from './messages.ts';
import type { HandlerAnswer, HandlerRequest, PythonService } from './python-service.ts';
import { HandlerRefused } from './python-service.ts';

export interface PyodideOptions {
  readonly modelDir: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly restPort: number;
  readonly hasTimeout: boolean;
  readonly restApi: RestApi;
  /** Path of the REST API that a request's input handler result is posted to. */
  readonly servingPath: (request: HandlerRequest) => string;
  readonly context: (request: HandlerRequest) => ContextValues;
  readonly log: (line: string) => void;
}

interface Waiting {
  readonly path: string;
  readonly resolve: (answer: HandlerAnswer) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Boots an interpreter in a thread of its own and loads code/inference.py into it.
 *
 * @throws {HandlerRefused} if the script cannot be imported there
 */
export async function startPyodideService(options: PyodideOptions): Promise<PythonService> {
  const signal = new Int32Array(new SharedArrayBuffer(4));
  const rest = new MessageChannel();
  const settings: InterpreterSettings = {
    modelDir: options.modelDir,
    environment: options.environment,
    hasTimeout: options.hasTimeout,
    restPort: options.restPort,
    signal,
  };
  const worker = new Worker(new URL('./pyodide-worker.ts', import.meta.url), {
    workerData: { settings, restPort: rest.port2 },
    transferList: [rest.port2],
    env: {},
    stdout: true,
    stderr: true,
  });
  const waiting = new Map<number, Waiting>();
  let nextId = 0;

  rest.port1.on('message', (call: RestCall) => {
    void options.restApi
      .answer(call.method, call.path, Buffer.from(call.body).toString('utf8'))
      .then((reply) => {
        const message: RestReply = reply;
        rest.port1.postMessage(message);
        Atomics.store(signal, 0, 1);
        Atomics.notify(signal, 0);
      });
  });

  const post = (message: ToInterpreter): void => worker.postMessage(message);
  const serve = async (id: number, body: Uint8Array): Promise<void> => {
    const request = waiting.get(id);
    if (!request) return;
    const reply = await options.restApi.answer(
      'POST',
      request.path,
      Buffer.from(body.buffer, body.byteOffset, body.length).toString('utf8'),
    );
    post({ kind: 'served', id, status: reply.status, body: reply.body });
  };

  const booted = Promise.withResolvers<void>();
  const fail = (error: Error): void => {
    booted.reject(error);
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };
  worker.on('message', (message: FromInterpreter) => {
    switch (message.kind) {
      case 'ready':
        return booted.resolve();
      case 'refused':
        return booted.reject(new HandlerRefused(message.reason));
      case 'log':
        return options.log(message.line);
      case 'serve':
        return void serve(message.id, message.body);
      case 'answer': {
        const { status, body, contentType } = message;
        waiting.get(message.id)?.resolve({ status, body, contentType: contentType ?? undefined });
        waiting.delete(message.id);
      }
    }
  });
  worker.on('error', fail);
  worker.on('exit', (code) => fail(new Error(`the Python interpreter ended with code ${code}`)));

  const close = async (): Promise<void> => {
    rest.port1.close();
    await worker.terminate();
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
      return new Promise((resolve, reject) => {
        waiting.set(id, { path: options.servingPath(request), resolve, reject });
        post({ kind: 'invoke', id, body: request.body, context: options.context(request) });
      });
    },
    close,
  };
}
