import { MessageChannel, Worker } from 'node:worker_threads';
import { toText, type ConnectPython } from './interpreter.ts';
import type { FromInterpreter, InterpreterSettings, RestCall, RestReply } from './messages.ts';

/**
 * Pyodide in a thread of its own. A request that the script makes itself blocks that thread, which has no event loop to
 * turn meanwhile: the answer is put into a port, and the thread is woken.
 */
export const connectPyodide: ConnectPython = (options, events) => {
  const { modelDir, environment, hasTimeout, restPort, restApi } = options;
  const signal = new Int32Array(new SharedArrayBuffer(4));
  const rest = new MessageChannel();
  const settings: InterpreterSettings = { modelDir, environment, hasTimeout, restPort, signal };
  const worker = new Worker(new URL('./pyodide-worker.ts', import.meta.url), {
    workerData: { settings, restPort: rest.port2 },
    transferList: [rest.port2],
    env: {},
  });
  rest.port1.on('message', (call: RestCall) => {
    events.receive({ kind: 'waits' });
    void restApi.answer(call.method, call.path, toText(call.body)).then((reply: RestReply) => {
      events.receive({ kind: 'computes' });
      rest.port1.postMessage(reply);
      Atomics.store(signal, 0, 1);
      Atomics.notify(signal, 0);
    });
  });
  worker.on('message', (messages: readonly FromInterpreter[]) =>
    messages.forEach((message) => events.receive(message)),
  );
  worker.on('error', (error) =>
    events.receive({ kind: 'log', line: error instanceof Error ? error.message : String(error) }),
  );
  worker.on('exit', (code) => {
    rest.port1.close();
    events.end(`the Python interpreter ended with code ${code}`);
  });
  return {
    post: (messages) => worker.postMessage(messages),
    kill: () => void worker.terminate(),
  };
};
