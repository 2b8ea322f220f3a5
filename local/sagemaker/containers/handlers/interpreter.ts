import type { RestApi } from '../tensorflow/serving/rest-api.ts';
import type { Body, FromInterpreter, RestReply, ToInterpreter } from './messages.ts';
import { createOutbox } from './outbox.ts';
import type { HandlerAnswer, HandlerRequest } from './python-service.ts';
import { HandlerRefused } from './python-service.ts';

export interface InterpreterOptions {
  readonly modelDir: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly restPort: number;
  readonly networkIsolation: boolean;
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

/** What runs the script: a thread with Pyodide, or a process with an installed Python. */
interface PythonLink {
  /** Messages reach the interpreter in this order. */
  post(messages: readonly ToInterpreter[]): void;
  kill(): void;
}

/** What a link tells the interpreter's owner. */
interface LinkEvents {
  receive(message: FromInterpreter): void;
  /** The interpreter has ended, by itself or not; nothing else follows. */
  end(reason: string): void;
}

/** Starts the Python that `code/inference.py` runs in. */
export type ConnectPython = (options: InterpreterOptions, events: LinkEvents) => PythonLink;

/** One Python interpreter with the script in it. */
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
export async function startInterpreter(
  options: InterpreterOptions,
  connect: ConnectPython,
): Promise<Interpreter> {
  const waiting = new Map<number, Waiting>();
  const booted = Promise.withResolvers<void>();
  const gone = Promise.withResolvers<void>();
  const serve = async (id: number, body: Body): Promise<void> => {
    const asked = waiting.get(id);
    if (!asked) return;
    const served = await options.restApi.answer('POST', asked.path, toText(body));
    const answer = options.answerFor(served);
    if (!answer) return post({ kind: 'served', id, status: served.status, body: served.body });
    deliver({ kind: 'forget', id });
    waiting.delete(id);
    asked.resolve(answer);
  };
  const link = connect(options, {
    receive(message) {
      switch (message.kind) {
        case 'ready':
          return booted.resolve();
        case 'refused':
          return booted.reject(new HandlerRefused(message.reason, message.needsPython));
        case 'log':
          return options.log(message.line);
        case 'waits':
          return patience.end();
        case 'computes':
          return patience.begin();
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
    },
    end(reason) {
      patience.stop();
      const ended = new Error(reason);
      booted.reject(ended);
      for (const { reject } of waiting.values()) reject(ended);
      waiting.clear();
      gone.resolve();
    },
  });
  const patience = watch(options.timeoutMs, () => {
    options.log('[CRITICAL] WORKER TIMEOUT');
    link.kill();
  });
  const deliver = createOutbox<ToInterpreter>((messages) => link.post(messages));
  const post = (message: ToInterpreter): void => {
    patience.begin();
    deliver(message);
  };
  let nextId = 0;

  const close = async (): Promise<void> => {
    link.kill();
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
    stop() {
      clearTimeout(timer);
    },
  };
}

/** Bodies of the model server's API are JSON. */
export function toText(body: Body): string {
  return typeof body === 'string'
    ? body
    : Buffer.from(body.buffer, body.byteOffset, body.length).toString('utf8');
}
