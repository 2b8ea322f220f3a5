import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { readBody } from '../../gateway/arrival.ts';

const closes: (() => void)[] = [];
afterEach(() => closes.splice(0).forEach((close) => close()));

/** Sends the head and the first bytes of a request; gives the server's side of it. */
async function begin(bytes: string): Promise<{ incoming: IncomingMessage; goOn: (rest?: string) => void }> {
  const arrived = Promise.withResolvers<IncomingMessage>();
  const server = createServer((incoming) => arrived.resolve(incoming));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closes.push(() => (server.closeAllConnections(), server.close()));
  const outgoing = request({ port: (server.address() as AddressInfo).port, method: 'POST' });
  outgoing.on('error', () => undefined);
  outgoing.write(bytes);
  const goOn = (rest?: string) => void (rest === undefined ? outgoing.destroy() : outgoing.end(rest));
  return { incoming: await arrived.promise, goOn };
}

it('reads a body that comes in pieces, up to the byte that is allowed', async () => {
  const { incoming, goOn } = await begin('one ');
  const body = readBody(incoming, 7);
  goOn('two');
  expect((await body).toString()).toBe('one two');
});

it('refuses a larger one, and lets the rest of it pass', async () => {
  const { incoming, goOn } = await begin('one ');
  const body = readBody(incoming, 6);
  goOn('two');
  await expect(body).rejects.toMatchObject({ code: 'RequestEntityTooLarge' });
  expect(incoming.destroyed).toBe(false);
});

it('rejects when the client goes away, whether it had begun to read or not', async () => {
  const { incoming, goOn } = await begin('one ');
  const body = readBody(incoming, 100);
  goOn();
  await expect(body).rejects.toMatchObject({ code: 'ECONNRESET' });
  await expect(readBody(incoming, 100)).rejects.toMatchObject({ code: 'RequestTimeout' });
});
