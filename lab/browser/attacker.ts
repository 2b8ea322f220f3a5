/** An attacker's page, under other names and addresses than its target's. */
import { once } from 'node:events';
import { createServer } from 'node:http';

/** Switches of Chromium under which the attacker's names lead to this machine, and nothing but what is attacked stands in the way. */
export const ATTACKED = [
  '--host-resolver-rules=MAP evil.example 127.0.0.1, MAP *.evil.example 127.0.0.1',
  // Local Network Access would ask the person first; no stack may depend on that, as not every browser has it.
  '--disable-features=LocalNetworkAccessChecks,BlockInsecurePrivateNetworkRequests,PrivateNetworkAccessSendPreflights',
  '--disable-popup-blocking',
];

/** Names of the attacker's that point to this machine. */
export const FORGED_NAMES = ['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example'];

/** A server of the attacker's page. */
export interface Attacker {
  /** Its origins: a name of its own, and another port of this machine, which gets the same cookies. */
  readonly origins: readonly string[];
  /** Every header that its servers were sent, a line each. */
  heard(): string;
  close(): void;
}

/** Serves an empty page, in which a test runs what an attacker would. */
export async function startAttacker(): Promise<Attacker> {
  let heard = '';
  const server = createServer(({ headers, url }, response) => {
    heard += `${url}\n${Object.entries(headers)
      .map(([name, value]) => `${name}: ${String(value)}\n`)
      .join('')}`;
    response.setHeader('content-type', 'text/html');
    response.end('<!doctype html><title>attacker</title><body>');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    origins: ['evil.example', '127.0.0.1', 'localhost'].map((name) => `http://${name}:${port}`),
    heard: () => heard,
    close: () => server.close(),
  };
}

/** Script of a page that submits a form on its own. */
export function sendForm(encoding: string, address: string): string {
  return `const form = Object.assign(document.createElement('form'), { method: 'POST', enctype: '${encoding}', action: ${JSON.stringify(address)} });
    document.body.append(form); form.submit();`;
}
