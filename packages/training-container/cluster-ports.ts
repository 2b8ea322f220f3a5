import { type AddressInfo, createServer } from 'node:net';
import { MASTER_PORT, MIRRORED_PORT, SERVER_PORT } from './tf-config.ts';

/** `algo-1:2222` → the port of this machine that stands for it. */
export type PortMap = Readonly<Record<string, number>>;

/** MASTER_PORT of the PyTorch container. */
export const RENDEZVOUS_PORT = 7777;

/** Ports that containers name, and 23456, which PyTorch's examples take: two hosts cannot both listen on one of the same loopback. */
const KNOWN = [MASTER_PORT, SERVER_PORT, MIRRORED_PORT, RENDEZVOUS_PORT, 23456];

/** A free port of this machine for each known one of each host. */
export async function allotPorts(hosts: readonly string[]): Promise<PortMap> {
  const names = hosts.flatMap((host) => KNOWN.map((port) => `${host}:${port}`));
  const ports = await freePorts(names.length);
  return Object.fromEntries(names.map((name, at) => [name, ports[at] ?? 0]));
}

/** All are held open until the last is known, so that none is given twice. */
async function freePorts(count: number): Promise<readonly number[]> {
  const servers = await Promise.all(Array.from({ length: count }, () => listening()));
  const ports = servers.map((server) => portOf(server.address()));
  await Promise.all(servers.map((server) => new Promise((closed) => server.close(closed))));
  return ports;
}

function listening(): Promise<ReturnType<typeof createServer>> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => resolve(server));
  });
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('the server listens on no port');
  return address.port;
}
