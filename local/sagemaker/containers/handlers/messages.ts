/** What the thread that runs a container and the thread that runs its Python code say to each other. */

export interface InterpreterSettings {
  /** Folder that is `/opt/ml/model` to the script. */
  readonly modelDir: string;
  readonly environment: Readonly<Record<string, string>>;
  /** `context.timeout` exists since the images of TensorFlow 2.20. */
  readonly hasTimeout: boolean;
  readonly restPort: number;
  /** Wakes the interpreter when the answer to one of its own requests is there. */
  readonly signal: Int32Array<SharedArrayBuffer>;
}

/** Bytes travel as text wherever they are UTF-8: text crosses into and out of WebAssembly several times faster. */
export type Body = Uint8Array | string;

export type ToInterpreter =
  | {
      readonly kind: 'invoke';
      readonly id: number;
      readonly body: Uint8Array;
      /** JSON array of the handler context's fields, but for the content length, which differs with each request. */
      readonly context: string;
    }
  | { readonly kind: 'served'; readonly id: number; readonly status: number; readonly body: string }
  /** No `served` will follow for this request. */
  | { readonly kind: 'forget'; readonly id: number };

export type FromInterpreter =
  | { readonly kind: 'ready' }
  /** The script cannot run here; nothing else follows. */
  | { readonly kind: 'refused'; readonly reason: string; readonly needsPython?: boolean }
  | { readonly kind: 'log'; readonly line: string }
  /** Code of a request that was handed over waits for somebody else, and goes on. */
  | { readonly kind: 'waits' | 'computes' }
  /** The input handler's result, to be posted to the REST API; the answer comes back as `served`. */
  | { readonly kind: 'serve'; readonly id: number; readonly body: Body }
  | {
      readonly kind: 'answer';
      readonly id: number;
      readonly status: number;
      readonly body: Body;
      readonly contentType: string | undefined;
    };

/** A request that Python code makes itself; the interpreter's thread sleeps until the answer lies in the port. */
export interface RestCall {
  readonly method: string;
  readonly path: string;
  readonly body: Body;
}

export interface RestReply {
  readonly status: number;
  readonly body: string;
}
