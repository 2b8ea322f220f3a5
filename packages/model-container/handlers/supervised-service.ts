import {
  type ConnectPython,
  type Interpreter,
  type InterpreterOptions,
  startInterpreter,
} from './interpreter.ts';
import type { PythonService } from './python-service.ts';

/**
 * Keeps one interpreter running, as gunicorn keeps its worker: one that was killed or died is replaced, and its
 * requests in progress fail.
 *
 * @throws {HandlerRefused} if the script cannot be imported
 */
export async function startSupervisedService(
  options: InterpreterOptions,
  connect: ConnectPython,
): Promise<PythonService> {
  let closed = false;
  /** Whether the one that runs has had a request. */
  let isUsed = false;
  const start = async (): Promise<Interpreter> => {
    isUsed = false;
    const interpreter = await startInterpreter(options, connect);
    void interpreter.gone.then(() => {
      if (closed) return;
      current = start();
      current.catch((error: unknown) =>
        options.log(`the Python service cannot be started again: ${String(error)}`),
      );
    });
    return interpreter;
  };
  let current = start();
  await current;
  return {
    async invoke(request) {
      const interpreter = await current;
      isUsed = true;
      return interpreter.invoke(request);
    },
    async renew() {
      const interpreter = await current.catch(() => undefined);
      // When one exits, the next starts; if it has already been replaced, it's new.
      if (interpreter === undefined) current = start();
      else if (isUsed) await interpreter.close();
      await current;
    },
    async close() {
      closed = true;
      await (await current).close();
    },
  };
}
