/** One process of Horovod. */
export interface HorovodRank {
  readonly host: string;
  readonly rank: number;
  readonly variables: Readonly<Record<string, string>>;
}

/** Where the ranks find each other. */
interface Rendezvous {
  readonly address: string;
  readonly port: number;
  readonly networkInterface: string;
}

/**
 * The ranks of a job and what Horovod would learn from mpirun: `local` counts within a host, `cross` among hosts. Under one mpirun on
 * one machine all ranks would be local; here they are as in the cloud.
 */
export function horovodRanks(
  hosts: readonly string[],
  processesPerHost: number,
  { address, port, networkInterface }: Rendezvous,
): readonly HorovodRank[] {
  return hosts.flatMap((host, cross) =>
    Array.from({ length: processesPerHost }, (_, local): HorovodRank => {
      const rank = cross * processesPerHost + local;
      return {
        host,
        rank,
        variables: {
          HOROVOD_RANK: String(rank),
          HOROVOD_SIZE: String(hosts.length * processesPerHost),
          HOROVOD_LOCAL_RANK: String(local),
          HOROVOD_LOCAL_SIZE: String(processesPerHost),
          HOROVOD_CROSS_RANK: String(cross),
          HOROVOD_CROSS_SIZE: String(hosts.length),
          HOROVOD_HOSTNAME: host,
          HOROVOD_CONTROLLER: 'gloo',
          HOROVOD_CPU_OPERATIONS: 'gloo',
          HOROVOD_GLOO_IFACE: networkInterface,
          HOROVOD_GLOO_RENDEZVOUS_ADDR: address,
          HOROVOD_GLOO_RENDEZVOUS_PORT: String(port),
        },
      };
    }),
  );
}

/** A line as the container logs it in the log of the first host, `[1,mpirank:5,algo-2]<stdout>:…`. */
export function taggedLine(rank: number, host: string, from: string, line: string): string {
  return `[1,mpirank:${rank},${host}]<${from}>:${line}`;
}
