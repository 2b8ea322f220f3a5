import type { RestAnswer, RestApi } from '../tensorflow/serving/rest-api.ts';
import type { FromInterpreter, ToInterpreter } from './messages.ts';
import { type HandlerAnswer, HandlerRefused, type HandlerRequest } from './python-service.ts';

/** Environment of an interpreter of `inference.py`. */
export interface InterpreterOptions {
  readonly modelDir: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Python 3.`pythonMinor` is the image's. */
  readonly pythonMinor: number;
  readonly restPort: number;
  readonly networkIsolation: boolean;
  readonly hasTimeout: boolean;
  readonly restApi: RestApi;
  /** Path of the REST API that a request's input handler result is posted to. */
  readonly servingPath: (request: HandlerRequest) => string;
  /** Fields of the handlers' `context`, the content length left out. */
  readonly context: (request: HandlerRequest) => readonly (string | number | null)[];
  /** The answer instead of the output handler's, if the model server's own isn't handed to it. */
  readonly answerFor: (served: RestAnswer) => HandlerAnswer | undefined;
  /** Python code that runs longer than this without a break is killed, as gunicorn does. */
  readonly timeoutMs: number;
  readonly log: (line: string) => void;
}

/** Process that runs the script, with Pyodide or with an installed Python. */
interface PythonLink {
  /** Messages reach the interpreter in this order. */
  post(message: ToInterpreter): void;
  kill(): void;
}

/** Events of a link, for the interpreter's owner. */
interface LinkEvents {
  /** @throws {Error} for a message that has no place here, after which the process is ended */
  receive(message: FromInterpreter): void;
  /** The interpreter has exited, on its own or not; nothing else follows. */
  end(reason: string): void;
}

/** Starts the Python that `code/inference.py` runs in. */
export type ConnectPython = (options: InterpreterOptions, events: LinkEvents) => Promise<PythonLink>;

interface Waiting {
  readonly path: string;
  readonly resolve: (answer: HandlerAnswer) => void;
  readonly reject: (error: Error) => void;
  /** False while the model answers it. */
  computing: boolean;
}

/** At least, to start Python and import the script, which only a hang meets: the image's start is not a laptop's under load. */
const LOAD_MS = 5 * 60_000;
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
  const interpreter = new Interpreter(options);
  await interpreter.boot(connect);
  return interpreter;
}

/** One Python interpreter with the script in it. What the script may send when, and how long it may compute, is checked here. */
export class Interpreter {
  readonly #options: InterpreterOptions;
  readonly #waiting = new Map<number, Waiting>();
  readonly #booted = Promise.withResolvers<void>();
  readonly #gone = Promise.withResolvers<void>();
  /** Resolves when the interpreter has exited, on its own or not. */
  readonly gone = this.#gone.promise;
  /** Undefined until connected, before which no message comes. */
  #link: PythonLink | undefined;
  #nextId = 0;
  #loading = true;
  /** Requests that wait for another process than the interpreter's own. */
  #away = 0;
  #timer: NodeJS.Timeout | undefined;
  #tooLate: string | undefined;

  constructor(options: InterpreterOptions) {
    this.#options = options;
    this.#booted.promise.catch(() => undefined);
  }

  async boot(connect: ConnectPython): Promise<void> {
    this.#link = await connect(this.#options, {
      receive: (message) => this.#receive(message),
      end: (reason) => this.#end(reason),
    });
    this.#signOfLife();
    try {
      await this.#booted.promise;
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  invoke(request: HandlerRequest): Promise<HandlerAnswer> {
    const id = this.#nextId++;
    const context = JSON.stringify(this.#options.context(request));
    return new Promise((resolve, reject) => {
      const path = this.#options.servingPath(request);
      this.#waiting.set(id, { path, resolve, reject, computing: true });
      if (this.#timer === undefined) this.#signOfLife();
      this.#link?.post({ kind: 'invoke', id, body: request.body, context });
    });
  }

  async close(): Promise<void> {
    this.#link?.kill();
    await this.gone;
  }

  #receive(message: FromInterpreter): void {
    switch (message.kind) {
      case 'ready':
        this.#loading = false;
        this.#signOfLife();
        return this.#booted.resolve();
      case 'refused':
        return this.#booted.reject(
          new HandlerRefused(message.reason, message.needsPython, message.alternative),
        );
      case 'log':
        return this.#options.log(message.line);
      case 'waits':
      case 'call':
        if (++this.#away > MAX_AWAY) throw new Error('it waits in more places than it has threads');
        if (message.kind === 'call')
          void this.#call(message.method, message.path, message.body).catch(() => this.#link?.kill());
        return this.#signOfLife();
      case 'computes':
        if (--this.#away < 0) throw new Error('it goes on without having waited');
        return this.#signOfLife();
      case 'serve': {
        const request = this.#computing(message.id);
        request.computing = false;
        this.#signOfLife();
        return void this.#serve(message.id, request, message.body).catch(() => this.#link?.kill());
      }
      case 'answer': {
        const { id, status, body, contentType } = message;
        this.#computing(id).resolve({ status, body, contentType: contentType ?? undefined });
        this.#waiting.delete(id);
        this.#signOfLife();
      }
    }
  }

  #end(reason: string): void {
    clearTimeout(this.#timer);
    this.#loading = false;
    const ended = new Error(this.#tooLate ?? reason);
    this.#booted.reject(ended);
    for (const { reject } of this.#waiting.values()) reject(ended);
    this.#waiting.clear();
    this.#gone.resolve();
  }

  /** @throws {Error} if the script has no such request, or the model answers it */
  #computing(id: number): Waiting {
    const request = this.#waiting.get(id);
    if (request?.computing !== true) throw new Error(`it has no request ${id} to answer`);
    return request;
  }

  async #serve(id: number, request: Waiting, body: Buffer): Promise<void> {
    const served = await this.#options.restApi.answer('POST', request.path, body.toString());
    const answer = this.#options.answerFor(served);
    if (answer === undefined) {
      request.computing = true;
      this.#signOfLife();
      return this.#link?.post({ kind: 'served', id, status: served.status, body: served.body });
    }
    this.#link?.post({ kind: 'forget', id });
    this.#waiting.delete(id);
    request.resolve(answer);
  }

  async #call(method: string, path: string, body: Buffer): Promise<void> {
    const { status, body: answered } = await this.#options.restApi.answer(method, path, body.toString());
    this.#away--;
    this.#signOfLife();
    this.#link?.post({ kind: 'reply', status, body: answered });
  }

  /** Starts the limit again where code computes. Real time: a container is another machine to the stack. */
  #signOfLife(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const { timeoutMs } = this.#options;
    const loading = this.#loading;
    const busy = [...this.#waiting.values()].filter((request) => request.computing).length + Number(loading);
    if (busy <= this.#away || timeoutMs === 0) return;
    const limitMs = loading ? Math.max(LOAD_MS, timeoutMs) : timeoutMs;
    const what = loading ? 'code/inference.py was not imported' : 'the handler did not answer';
    this.#timer = setTimeout(() => this.#lose(`${what} within ${limitMs / 1000} seconds`), limitMs);
  }

  #lose(reason: string): void {
    this.#tooLate = reason;
    this.#options.log('[CRITICAL] WORKER TIMEOUT');
    this.#link?.kill();
  }
}
