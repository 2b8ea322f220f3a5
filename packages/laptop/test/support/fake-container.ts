import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  ContainerExited,
  type ContainerSpec,
  type StartContainer,
} from '@inferdrop/model-container/container';

export interface FakeInvocation {
  readonly body: string;
  readonly bytes: Buffer;
  readonly headers: IncomingHttpHeaders;
  /** Which container it was, in the order of their start. */
  readonly container: number;
}

export type FakeAnswer =
  string | { status?: number; body?: string | Buffer; contentType?: string; encoding?: string } | undefined;

/** Containers whose invocations are answered as the test says; `undefined` breaks the connection. `get` answers the rest. */
export function fakeContainers(
  answer: (invocation: FakeInvocation) => FakeAnswer | Promise<FakeAnswer>,
  get: (path: string) => FakeAnswer = (path) => (path === '/ping' ? '' : { status: 404 }),
): {
  readonly start: StartContainer;
  readonly specs: ContainerSpec[];
  readonly invocations: FakeInvocation[];
  /** The next container ends before it listens. */
  breakNext(): void;
  /** The container ends by itself. */
  kill(container: number): void;
  /** Containers that listen and have not ended. */
  running(): number;
} {
  const specs: ContainerSpec[] = [];
  const invocations: FakeInvocation[] = [];
  const alive = new Map<number, () => void>();
  let broken = false;
  const start: StartContainer = (spec) => {
    if (broken) {
      broken = false;
      const ended = new ContainerExited('out of memory');
      return {
        listening: Promise.reject(ended),
        ended: AbortSignal.abort(ended),
        stop: async () => undefined,
      };
    }
    const container = specs.push(spec) - 1;
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => void reply());
      const reply = async (): Promise<void> => {
        const bytes = Buffer.concat(chunks);
        const path = request.url ?? '';
        const invocation = { body: bytes.toString(), bytes, headers: request.headers, container };
        if (path === '/invocations') invocations.push(invocation);
        const given = path === '/invocations' ? await answer(invocation) : get(path);
        if (given === undefined) return void request.socket.destroy();
        const {
          status = 200,
          body = '',
          contentType = 'application/json',
          encoding,
        } = typeof given === 'string' ? { body: given } : given;
        const headers = { 'content-type': contentType, ...(encoding && { 'content-encoding': encoding }) };
        response.writeHead(status, headers).end(body);
      };
    });
    const ended = new AbortController();
    const end = (): void => {
      alive.delete(container);
      server.closeAllConnections();
    };
    alive.set(container, () => {
      end();
      server.close();
      ended.abort(new ContainerExited('killed'));
    });
    return {
      listening: listen(server),
      ended: ended.signal,
      async stop() {
        end();
        await new Promise((resolve) => server.close(resolve));
      },
    };
  };
  const breakNext = (): void => {
    broken = true;
  };
  const kill = (container: number): void => alive.get(container)?.();
  return { start, specs, invocations, breakNext, kill, running: () => alive.size };
}

function listen(server: Server): Promise<URL> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () =>
      resolve(new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)),
    );
  });
}
