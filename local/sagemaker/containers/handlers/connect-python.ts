import * as z from 'zod';
import type { Frame } from '../python-process/frames.ts';
import { startPythonProcess } from '../python-process/python-process.ts';
import type { ConnectPython } from './interpreter.ts';
import type { FromInterpreter } from './messages.ts';

const Header = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal(['ready', 'waits', 'computes']) }),
  z.object({ kind: z.literal('refused'), reason: z.string() }),
  z.object({ kind: z.literal('serve'), id: z.int() }),
  z.object({ kind: z.literal('answer'), id: z.int(), status: z.int(), contentType: z.string().nullish() }),
]);

/** An installed Python, in a process of its own. */
export function connectPython(python: string): ConnectPython {
  return ({ modelDir, environment, hasTimeout, restPort, networkIsolation, log }, events) => {
    const child = startPythonProcess({
      python,
      script: new URL('./python/handler_process.py', import.meta.url),
      settings: { modelDir, hasTimeout, reachablePorts: networkIsolation ? [restPort] : null },
      environment,
      onFrame: (frame) => events.receive(toMessage(frame)),
      log,
    });
    void child.gone.then((reason) => events.end(reason));
    return {
      post(messages) {
        for (const message of messages) {
          const { body, ...header } = { body: '', ...message };
          child.send(header, [typeof body === 'string' ? Buffer.from(body) : body]);
        }
      },
      kill: () => void child.kill(),
    };
  };
}

function toMessage({ header, body }: Frame): FromInterpreter {
  const message = Header.parse(header);
  if (message.kind === 'serve') return { ...message, body };
  if (message.kind === 'answer') return { ...message, body, contentType: message.contentType ?? undefined };
  return message;
}
