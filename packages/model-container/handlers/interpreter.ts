import type { RestAnswer, RestApi } from '../tensorflow/serving/rest-api.ts';
import { batchMessages } from './message-batch.ts';
import type { FromInterpreter, ToInterpreter } from './messages.ts';
import { type HandlerAnswer, HandlerRefused, type HandlerRequest } from './python-service.ts';

/** Environment of an interpreter of `inference.py`. */
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
  readonly answerFor: (served: RestAnswer) => HandlerAnswer | undefined;
  /** Python code that runs longer than this without a break is killed, as gunicorn does. */
  readonly timeoutMs: number;
  readonly log: (line: string) => void;
}

/** What runs the script: a process with Pyodide or with an installed Python. */
interface PythonLink {
  /** Messages reach the interpreter in this order. */
  post(messages: readonly ToInterpreter[]): void;
  kill(): void;
}

/** Events of a link, for the interpreter's owner. */
interface LinkEvents {
  /** @throws {Error} for a message that has no place here, after which the process is ended */
  receive(message: FromInterpreter): void;
  /** The interpreter has ended, by itself or not; nothing else follows. */
  end(reason: string): void;
}

/** Starts the Python that `code/inference.py` runs in. */
export type ConnectPython = (options: InterpreterOptions, events: LinkEvents) => Promise<PythonLink>;

/** One Python interpreter with the script in it. */
export interface Interpreter {
  invoke(request: HandlerRequest): Promise<HandlerAnswer>;
  /** Resolves when the interpreter has ended, by itself or not. */
  readonly gone: Promise<void>;
  close(): Promise<void>;
}

interface Waiting {
  readonly path: string;
  readonly resolve: (answer: HandlerAnswer) => void;
  readonly reject: (error: Error) => void;
  /** False while the model answers it. */
  computing: boolean;
}

/** At least, to start Python and import the script: the image's start is not a laptop's under load. */
const LOAD_MS = 60_000;
/** Requests that a Python process works on at once (`_AT_ONCE` in `handler_process.py`); Pyodide has one. */
const MAX_AWAY = 100;

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
  booted.promise.catch(() => undefined);
  const gone = Promise.withResolvers<void>();
  /** Requests that wait for another process than the interpreter's own. */
  let away = 0;
  const computing = (id: number): Waiting => {
    const request = waiting.get(id);
    if (request?.computing !== true) throw new Error(`it has no request ${id} to answer`);
    return request;
  };
  let loading = true;
  let tooLate: string | undefined;
  const lose = (reason: string): void => {
    tooLate = reason;
    options.log('[CRITICAL] WORKER TIMEOUT');
    link.kill();
  };
  let timer: NodeJS.Timeout | undefined;
  /** Real time: a container is another machine to the stack. */
  const signOfLife = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const { timeoutMs } = options;
    const busy = [...waiting.values()].filter((request) => request.computing).length + Number(loading);
    if (busy <= away || timeoutMs === 0) return;
    const limitMs = loading ? Math.max(LOAD_MS, timeoutMs) : timeoutMs;
    const what = loading ? 'code/inference.py was not imported' : 'the handler did not answer';
    timer = setTimeout(() => lose(`${what} within ${limitMs / 1000} seconds`), limitMs);
  };
  const serve = async (id: number, request: Waiting, body: Buffer): Promise<void> => {
    const served = await options.restApi.answer('POST', request.path, body.toString());
    const answer = options.answerFor(served);
    if (answer === undefined) {
      request.computing = true;
      signOfLife();
      return deliver({ kind: 'served', id, status: served.status, body: served.body });
    }
    deliver({ kind: 'forget', id });
    waiting.delete(id);
    request.resolve(answer);
  };
  const call = async (method: string, path: string, body: Buffer): Promise<void> => {
    const { status, body: answered } = await options.restApi.answer(method, path, body.toString());
    away--;
    signOfLife();
    link.post([{ kind: 'reply', status, body: answered }]);
  };
  const receive = (message: FromInterpreter): void => {
    switch (message.kind) {
      case 'ready':
        loading = false;
        signOfLife();
        return booted.resolve();
      case 'refused':
        return booted.reject(new HandlerRefused(message.reason, message.needsPython));
      case 'log':
        return options.log(message.line);
      case 'waits':
      case 'call':
        if (++away > MAX_AWAY) throw new Error('it waits in more places than it has threads');
        if (message.kind === 'call')
          void call(message.method, message.path, message.body).catch(() => link.kill());
        return signOfLife();
      case 'computes':
        if (--away < 0) throw new Error('it goes on without having waited');
        return signOfLife();
      case 'serve': {
        const request = computing(message.id);
        request.computing = false;
        signOfLife();
        return void serve(message.id, request, message.body).catch(() => link.kill());
      }
      case 'answer': {
        const { id, status, body, contentType } = message;
        computing(id).resolve({ status, body, contentType: contentType ?? undefined });
        waiting.delete(id);
        signOfLife();
      }
    }
  };
  const link = await connect(options, {
    receive,
    end(reason) {
      clearTimeout(timer);
      loading = false;
      const ended = new Error(tooLate ?? reason);
      booted.reject(ended);
      for (const { reject } of waiting.values()) reject(ended);
      waiting.clear();
      gone.resolve();
    },
  });
  signOfLife();
  const deliver = batchMessages<ToInterpreter>((messages) => link.post(messages));
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
        waiting.set(id, { path: options.servingPath(request), resolve, reject, computing: true });
        if (timer === undefined) signOfLife();
        deliver({ kind: 'invoke', id, body: request.body, context });
      });
    },
    gone: gone.promise,
    close,
  };
}
