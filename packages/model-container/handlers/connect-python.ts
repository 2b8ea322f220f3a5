import { startPythonProcess } from '../python-process/python-process.ts';
import type { ConnectPython } from './interpreter.ts';
import { toFrame, toMessage } from './messages.ts';

/** An installed Python, in a process of its own. */
export function connectPython(python: string): ConnectPython {
  return ({ modelDir, environment, pythonMinor, hasTimeout, restPort, networkIsolation, log }, events) => {
    const child = startPythonProcess({
      python,
      script: new URL(import.meta.resolve('#model-container/handlers/python/handler_process.py')),
      settings: { modelDir, pythonMinor, hasTimeout, reachablePorts: networkIsolation ? [restPort] : null },
      environment,
      onFrame: (frame) => events.receive(toMessage(frame)),
      log,
    });
    void child.gone.then((reason) => events.end(reason));
    return Promise.resolve({
      post: (message) => child.send(...toFrame(message)),
      kill: () => void child.kill(),
    });
  };
}
