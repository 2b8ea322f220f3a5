/** A request as the Python service sees it. */
export interface HandlerRequest {
  readonly body: Uint8Array;
  readonly contentType: string | undefined;
  readonly accept: string | undefined;
  /** The raw `X-Amzn-SageMaker-Custom-Attributes` header. */
  readonly customAttributes: string | undefined;
}

/** Answer of a handler; `status` is an HTTP status. */
export interface HandlerAnswer {
  readonly status: number;
  readonly body: Uint8Array | string;
  readonly contentType: string | undefined;
}

/** Runs code/inference.py, as gunicorn does in the real container. */
export interface PythonService {
  invoke(request: HandlerRequest): Promise<HandlerAnswer>;
  /** Starts the script anew, as in a new container; requests in progress fail. @throws {HandlerRefused} */
  renew(): Promise<void>;
  /** Rejects requests in progress. */
  close(): Promise<void>;
}

/** Remedy of a script that an installed Python would run. */
export const WITH_PYTHON = 'run with `--handlers python`';

/** The script cannot run here; the message says why and what to do on this stack. */
export class HandlerRefused extends Error {
  override readonly name = 'HandlerRefused';
  /** Why, without the remedy. */
  readonly reason: string;
  /** True where an installed Python would run it. */
  readonly needsPython: boolean;

  /** @param alternative another remedy than an installed Python, or empty */
  constructor(reason: string, needsPython = false, alternative = '') {
    super(needsPython ? `${reason}: ${WITH_PYTHON}${alternative && `, or ${alternative}`}` : reason);
    this.reason = reason;
    this.needsPython = needsPython;
  }
}
