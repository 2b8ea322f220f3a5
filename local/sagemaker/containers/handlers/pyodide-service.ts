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
  /** Fields of the handlers' `context`, the content length left out. */
  readonly context: (request: HandlerRequest) => readonly (string | number | null)[];
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
  const { modelDir, environment, hasTimeout, restPort, restApi } = options;
  const signal = new Int32Array(new SharedArrayBuffer(4));
  const rest = new MessageChannel();
  const settings: InterpreterSettings = { modelDir, environment, hasTimeout, restPort, signal };
  const worker = new Worker(new URL('./pyodide-worker.ts', import.meta.url), {
    workerData: { settings, restPort: rest.port2 },
    transferList: [rest.port2],
    env: {},
  });
  const post = createOutbox<ToInterpreter>((messages) => worker.postMessage(messages));
  const waiting = new Map<number, Waiting>();
  let nextId = 0;

  rest.port1.on('message', (call: RestCall) => {
    void restApi.answer(call.method, call.path, toText(call.body)).then((reply: RestReply) => {
      rest.port1.postMessage(reply);
      Atomics.store(signal, 0, 1);
      Atomics.notify(signal, 0);
    });
  });
  const serve = async (id: number, body: Body): Promise<void> => {
    const path = waiting.get(id)?.path;
    if (path === undefined) return;
    const reply = await restApi.answer('POST', path, toText(body));
    post({ kind: 'served', id, status: reply.status, body: reply.body });
  };

  const booted = Promise.withResolvers<void>();
  const receive = (message: FromInterpreter): void => {
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
        waiting.get(message.id)?.resolve({ status, body, contentType });
        waiting.delete(message.id);
      }
    }
  };
  const fail = (error: Error): void => {
    booted.reject(error);
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };
  worker.on('message', (messages: readonly FromInterpreter[]) => messages.forEach(receive));
  worker.on('error', (error) => fail(error instanceof Error ? error : new Error(String(error))));
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
      const context = JSON.stringify(options.context(request));
      return new Promise((resolve, reject) => {
        waiting.set(id, { path: options.servingPath(request), resolve, reject });
        post({ kind: 'invoke', id, body: request.body, context });
      });
    },
    close,
  };
}

function toText(body: Body): string {
  return typeof body === 'string'
    ? body
    : Buffer.from(body.buffer, body.byteOffset, body.length).toString('utf8');
}
