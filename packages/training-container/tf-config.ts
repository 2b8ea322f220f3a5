/** A host's `host:port` as it is reached on this machine. */
export type AddressOf = (host: string, port: number) => string;

/** Port of the master and of the workers in a cluster with parameter servers, as the TensorFlow container names it in TF_CONFIG. */
export const MASTER_PORT = 2222;
/** Port of the parameter servers (one on each host); from the same container. */
export const SERVER_PORT = 2223;
/** Port of every host under `multi_worker_mirrored_strategy`; from the same container. */
export const MIRRORED_PORT = 8890;

/**
 * TF_CONFIG with parameter servers: the first host is the master, the others are workers, each has a server next to it.
 * The shape is the TensorFlow container's, the addresses are this machine's.
 */
export function parameterServerConfig(
  hosts: readonly string[],
  host: string,
  task: 'script' | 'server',
  address: AddressOf,
): string {
  const [master = host, ...workers] = hosts;
  const role =
    task === 'server'
      ? { index: hosts.indexOf(host), type: 'ps' }
      : host === master
        ? { index: 0, type: 'master' }
        : { index: workers.indexOf(host), type: 'worker' };
  return JSON.stringify({
    cluster: {
      master: [address(master, MASTER_PORT)],
      ps: hosts.map((name) => address(name, SERVER_PORT)),
      worker: workers.map((name) => address(name, MASTER_PORT)),
    },
    environment: 'cloud',
    task: role,
  });
}

/** TF_CONFIG of `multi_worker_mirrored_strategy`: every host is a worker. */
export function mirroredConfig(hosts: readonly string[], host: string, address: AddressOf): string {
  return JSON.stringify({
    cluster: { worker: hosts.map((name) => address(name, MIRRORED_PORT)) },
    environment: 'cloud',
    task: { index: hosts.indexOf(host), type: 'worker' },
  });
}
