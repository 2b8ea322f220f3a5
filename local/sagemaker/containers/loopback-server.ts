import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Begins to listen on a free port of this machine alone. */
export function listen(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
}

/** The port that the system gave; the server must be listening. */
export function portOf(server: Server): number {
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server listens on no port');
  return address.port;
}
