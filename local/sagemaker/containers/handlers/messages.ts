/** What the thread that runs a container and the thread that runs its Python code say to each other. */

/** `context` of the handlers, in the order of its fields; the last is `timeout`, where the image has it. */
export type ContextValues = readonly (string | number | null)[];

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

export type ToInterpreter =
  | {
      readonly kind: 'invoke';
      readonly id: number;
      readonly body: Uint8Array;
      readonly context: ContextValues;
    }
  | {
      readonly kind: 'served';
      readonly id: number;
      readonly status: number;
      readonly body: Uint8Array | string;
    };

export type FromInterpreter =
  | { readonly kind: 'ready' }
  /** The script cannot run here; nothing else follows. */
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'log'; readonly line: string }
  /** The input handler's result, to be posted to the REST API; the answer comes back as `served`. */
  | { readonly kind: 'serve'; readonly id: number; readonly body: Uint8Array }
  | {
      readonly kind: 'answer';
      readonly id: number;
      readonly status: number;
      readonly body: Uint8Array;
      readonly contentType: string | null;
    };

/** A request that Python code makes itself; the interpreter's thread sleeps until the answer lies in the port. */
export interface RestCall {
  readonly method: string;
  readonly path: string;
  readonly body: Uint8Array;
}

export interface RestReply {
  readonly status: number;
  readonly body: string;
}
