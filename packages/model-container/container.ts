/** Input of a container, as the real service gives it. */
export interface ContainerSpec {
  readonly image: string;
  /** Folder of the unpacked `model.tar.gz`, seen as `/opt/ml/model`. */
  readonly modelDir: string;
  /** Cores of this computer for this container to use; all by default. */
  readonly cores?: number;
  readonly environment: Readonly<Record<string, string>>;
  /** `EnableNetworkIsolation` of the model: nothing but the container itself is reached from it. */
  readonly networkIsolation: boolean;
  /** One line of the container's stdout or stderr. */
  readonly log: (line: string) => void;
}

/** A container on a loopback port of its own, spoken to over HTTP like the real one. */
export interface Container {
  /**
   * `http://127.0.0.1:<port>`, with the path prefix of its requests, once it listens; rejects with `ContainerExited` if it exits
   * before.
   */
  readonly listening: Promise<URL>;
  /** Aborted with `ContainerExited` when the container exits on its own. */
  readonly ended: AbortSignal;
  stop(): Promise<void>;
}

/** The container exited on its own; the message is its last log line. */
export class ContainerExited extends Error {
  override readonly name = 'ContainerExited';
}

/** Starts containers; handed in, so that tests can put a server of their own in its place. */
export type StartContainer = (spec: ContainerSpec) => Container;

/** No container of this stack stands for the image. */
export class ImageRefused extends Error {
  override readonly name = 'ImageRefused';
}
