import { boundLog } from './bounded-log.ts';
import type { ContainerMessage, ContainerStart } from './container-messages.ts';

/** A container's end of the channel to the stack. */
export interface HostChannel {
  log(line: string): void;
  /** `path` is what every request's path begins with. */
  listening(port: number, path: string): void;
}

/**
 * Runs a container in this process, from the stack's first message until its second one, or until the stack is gone. Everything
 * that the container has started stops with its process.
 *
 * @param explain gives the stack the reason when `main` fails
 */
export async function runContainer(
  main: (start: ContainerStart, host: HostChannel) => Promise<void>,
  explain: (error: Error) => string = ({ message }) => message,
): Promise<void> {
  process.once('disconnect', () => process.exit());
  const start = await new Promise<ContainerStart>((resolve) => process.once('message', resolve));
  // Here, so that what is dropped takes nothing of the stack's time.
  const bounded = boundLog((line) => send({ kind: 'log', line }));
  const end = (message: ContainerMessage, code: number): void => {
    bounded.flush();
    sendLast(message, code);
  };
  process.once('message', () => end({ kind: 'stopped' }, 0));
  const host: HostChannel = {
    log: (line) => bounded.write(line),
    listening: (port, path) => send({ kind: 'listening', port, path }),
  };
  try {
    await main(start, host);
  } catch (error) {
    end({ kind: 'exited', reason: explain(error instanceof Error ? error : new Error(String(error))) }, 1);
  }
}

function send(message: ContainerMessage): void {
  // The stack is gone: `disconnect` follows.
  process.send?.(message, undefined, undefined, () => undefined);
}

function sendLast(message: ContainerMessage, code: number): void {
  process.send?.(message, undefined, undefined, () => process.exit(code));
}
