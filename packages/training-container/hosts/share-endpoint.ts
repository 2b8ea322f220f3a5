import { fork } from 'node:child_process';
import { connect, Server, type Socket } from 'node:net';
import { pipeline } from 'node:stream';
import { fileURLToPath } from 'node:url';

const LISTENER = fileURLToPath(import.meta.resolve('#training-container/hosts/endpoint-listener.ts'));

/**
 * Lets the processes behind `behind` reach a port of this machine's loopback at the same port of their own.
 *
 * @returns a function that stops it
 * @throws {Error} if the port is not free there
 */
export async function shareEndpoint(behind: readonly string[], port: number): Promise<() => void> {
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
