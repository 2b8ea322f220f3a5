import { fork } from 'node:child_process';
import { connect, Server, type Socket } from 'node:net';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { pythonFile } from '../python-path.ts';
import { type HostFolders, TrainingRefused, type TrainingRequest } from '../training-request.ts';
import type { JobHosts } from './job-hosts.ts';
import { openNamespaces } from './namespaces.ts';

const LISTENER = fileURLToPath(import.meta.resolve('#training-container/hosts/endpoint-listener.ts'));

/**
 * Lets the processes behind `behind` reach a port of this machine's loopback at the same port of their own.
 *
 * @returns a function that stops it
 * @throws {Error} if the port is not free there
 */
async function shareEndpoint(behind: readonly string[], port: number): Promise<() => void> {
  const [execPath, ...execArgv] = [...behind, process.execPath];
  const server = await new Promise<Server>((resolve, reject) => {
    const listener = fork(LISTENER, [String(port)], {
      ...(execPath !== undefined && { execPath }),
      execArgv,
      env: {},
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    let said = '';
    listener.stderr?.on('data', (bytes: Buffer) => (said += bytes.toString()));
    listener.on('message', (_message, handle) => {
      if (handle instanceof Server) resolve(handle);
    });
    listener.on('error', reject);
    listener.on('exit', () => reject(new Error(`port ${port} of a host cannot be listened on: ${said}`)));
  });
  server.on('connection', (inside: Socket) => {
    const outside = connect(port, '127.0.0.1');
    // Either end may break off; the other then sees the end.
    pipeline(inside, outside, inside, () => undefined);
  });
  return () => server.close();
}

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
