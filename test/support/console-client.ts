import { request } from 'node:http';
import type { Route } from '../../src/cli/console/route.ts';
import { serveConsole } from '../../src/cli/console/server.ts';

/** A console with these routes, and a program that it lets in. */
export interface ConsoleClient {
  /** Sends a body to an address as it is spelt: `fetch` would resolve the dots of a path. */
  send(
    method: string,
    path: string,
    body?: string | Uint8Array,
  ): Promise<{ readonly status: number; readonly body: any }>;
  close(): Promise<void>;
}

/** Serves routes, and asks with the token of the printed address. */
export async function consoleClient(routes: readonly Route[]): Promise<ConsoleClient> {
  const pages = await serveConsole(routes, 0);
  const authorization = `Bearer ${pages.address.split('#token=')[1]}`;
  return {
    send: (method, path, body = '') =>
      new Promise((resolve, reject) => {
        const { hostname, port } = new URL(pages.origin);
        const headers = { authorization, origin: pages.origin, 'content-length': Buffer.byteLength(body) };
        const asked = request({ hostname, port, method, path, headers }, (response) => {
          let text = '';
          response.on('data', (chunk) => (text += String(chunk)));
          response.on('end', () => resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) }));
        });
        asked.on('error', reject);
        asked.end(body);
      }),
    close: () => pages.close(),
  };
}
