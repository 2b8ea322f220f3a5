/** Interpreters of environments that hold what the container runs in them. */
export interface ContainerPythons {
  readonly handlers?: string;
  /** TensorFlow's or PyTorch's. */
  readonly engine?: string;
}

/** The message that starts a container; a second one, whatever it holds, stops it. */
export interface ContainerStart {
  readonly image: string;
  /** Unpacked archive: `/opt/ml/model` of the container. */
  readonly modelDir: string;
  readonly cores: number;
  readonly environment: Readonly<Record<string, string>>;
  readonly networkIsolation: boolean;
  /** URL of the module with the TensorFlow container's `loadSavedModel`. */
  readonly engineModule: string;
  readonly pythons: ContainerPythons;
}

/** Messages from a container to the host. */
export type ContainerMessage =
  | { readonly kind: 'log'; readonly line: string }
  | { readonly kind: 'listening'; readonly port: number; readonly path: string }
  /** The container exited on its own, before or after it listened. */
  | { readonly kind: 'exited'; readonly reason: string }
  /** It has been stopped; nothing that it said is still under way. */
  | { readonly kind: 'stopped' };
