import { closeSync, constants, openSync } from 'node:fs';
import { join } from 'node:path';
import { pythonLibrary } from '@inferdrop/model-container/internal/python-library';
import { allotPorts } from '../cluster-ports.ts';
import { hostNames } from '../host-layout.ts';
import { makeFifo } from '../make-fifo.ts';
import { pythonFile } from '../python-path.ts';
import type { TrainingRequest } from '../training-request.ts';
import type { JobHosts } from './job-hosts.ts';

/** Where a job's lifeline lies. */
function lifelinePath(root: string): string {
  return join(root, 'lifeline');
}

/**
 * A FIFO that this program holds open while a job runs. torchrun and mpirun give their children process groups of their own; each
 * Python among them reads here, and exits when there's no writer anymore: after the job, and when this program is gone.
 *
 * @returns a function that cuts it; a second call does nothing
 */
async function openLifeline(root: string): Promise<() => void> {
  await makeFifo(lifelinePath(root));
  // For reading as well, so that it opens without waiting for a reader.
  let descriptor: number | undefined = openSync(lifelinePath(root), constants.O_RDWR);
  return () => {
    if (descriptor !== undefined) closeSync(descriptor);
    descriptor = undefined;
  };
}

/** Hosts that share this machine's loopback and files: each of their Pythons maps names, ports and `/opt/ml` on its own. */
export async function openPortableHosts({
  root,
  hostCount,
  networkIsolation,
  environment,
}: Pick<TrainingRequest, 'root' | 'hostCount' | 'networkIsolation' | 'environment'>): Promise<JobHosts> {
  const hosts = hostNames(hostCount);
  const ports = await allotPorts(hosts);
  const cutLifeline = await openLifeline(root);
  return {
    behind: () => [],
    nameOf: () => '127.0.0.1',
    portOf: (host, port) => ports[`${host}:${port}`] ?? port,
    pythonPath: [pythonFile('site'), pythonFile('pipe'), pythonLibrary()],
    variables: ({ optMl }) => ({
      INFERDROP_TRAINING: JSON.stringify({
        hosts,
        ports,
        optMl,
        lifeline: lifelinePath(root),
        isolated: networkIsolation,
        closedPorts: endpointPorts(environment),
      }),
    }),
    end: async () => cutLifeline(),
  };
}

/** With network isolation, a job reaches no service; this stack's would be on the loopback, next to the job's own hosts. */
function endpointPorts({ AWS_ENDPOINT_URL: endpoint }: Readonly<Record<string, string>>): readonly number[] {
  const port = endpoint === undefined ? '' : new URL(endpoint).port;
  return port === '' ? [] : [Number(port)];
}
