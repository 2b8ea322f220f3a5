import type { HostFolders } from '../training-request.ts';

/** The hosts of a job while it runs: how to start a process on one, and how they reach each other. */
export interface JobHosts {
  /** The command that starts a process on a host; empty if it starts like any other process. */
  behind(host: string): readonly string[];
  /** The name or address at which the others reach a host. */
  nameOf(host: string): string;
  /** The port at that name that stands for one of the host's own. */
  portOf(host: string, port: number): number;
  /**
   * Folders that every Python of a host has on its path. All have a reader of Pipe mode in the place of AWS's, which has no build for
   * TensorFlow past 2.14, Python past 3.10 and ARM.
   */
  readonly pythonPath: readonly string[];
  /** Variables of every process of a host. */
  variables(folders: HostFolders): Readonly<Record<string, string>>;
  /** Stops the hosts' remaining processes; resolves when they have exited. A second call does nothing else. */
  end(): Promise<void>;
}
