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
  /** Rejects requests in progress. */
  close(): Promise<void>;
}

/** The script cannot run here; the message says why and what to do. */
export class HandlerRefused extends Error {
  override readonly name = 'HandlerRefused';
  /** True where an installed Python would run it. */
  readonly needsPython: boolean;

  constructor(message: string, needsPython = false) {
    super(message);
    this.needsPython = needsPython;
  }
}
