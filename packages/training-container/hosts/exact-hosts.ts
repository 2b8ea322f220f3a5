import { dirname } from 'node:path';
import { pythonFile } from '../python-path.ts';
import { type HostFolders, TrainingRefused, type TrainingRequest } from '../training-request.ts';
import type { JobHosts } from './job-hosts.ts';
import { openNamespaces } from './namespaces.ts';
import { shareEndpoint } from './share-endpoint.ts';

/**
 * Hosts with a real `/opt/ml`, name, address and every port. They reach each other and, without network isolation, the stack that
 * AWS_ENDPOINT_URL names on this machine's loopback; nothing else. The environments of `pythons`, which other jobs use, are read-only in
 * them.
 *
 * @throws {TrainingRefused} where namespaces cannot be made
 */
export async function openExactHosts(
  { root, networkIsolation, environment }: Pick<TrainingRequest, 'root' | 'networkIsolation' | 'environment'>,
  all: readonly HostFolders[],
  pythons: readonly string[],
): Promise<JobHosts> {
  const namespaces = await openNamespaces(root, all, pythons.map(environmentOf)).catch((error: unknown) => {
    throw new TrainingRefused([
      `exact hosts cannot be made: ${error instanceof Error ? error.message : String(error)}`,
    ]);
  });
  const port = networkIsolation ? undefined : loopbackPort(environment['AWS_ENDPOINT_URL']);
  const shared: (() => void)[] = [];
  const end = async (): Promise<void> => {
    for (const close of shared) close();
    await namespaces.end();
  };
  try {
    if (port !== undefined)
      await Promise.all(
        all.map(async ({ host }) => shared.push(await shareEndpoint(namespaces.behind(host), port))),
      );
  } catch (error) {
    await end();
    throw error;
  }
  return {
    behind: (host) => namespaces.behind(host),
    nameOf: (host) => host,
    portOf: (_host, own) => own,
    pythonPath: [pythonFile('pipe')],
    variables: () => ({}),
    end,
  };
}

/** The folder of a virtual environment or an installation. */
function environmentOf(python: string): string {
  return dirname(dirname(python));
}

function loopbackPort(endpoint: string | undefined): number | undefined {
  if (endpoint === undefined) return undefined;
  const { hostname, port } = new URL(endpoint);
  return ['127.0.0.1', 'localhost'].includes(hostname) && port !== '' ? Number(port) : undefined;
}
