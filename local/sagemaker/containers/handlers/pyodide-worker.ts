/**
 * Entry of the thread that runs code/inference.py in Pyodide.
 *
 * Gap: packages outside of the standard library are refused; threads and subprocesses do not exist in WebAssembly.
 */
import { readFileSync } from 'node:fs';
import type { MessagePort } from 'node:worker_threads';
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { loadPyodide } from 'pyodide';
import type { PyCallable, PyProxy } from 'pyodide/ffi';
import type { FromInterpreter, InterpreterSettings, RestReply, ToInterpreter } from './messages.ts';

if (!parentPort) throw new Error('pyodide-worker.ts must run in a worker thread');
const port: MessagePort = parentPort;
const { settings, restPort }: { settings: InterpreterSettings; restPort: MessagePort } = workerData;

function send(message: FromInterpreter, transfer: ArrayBuffer[] = []): void {
  port.postMessage(message, transfer);
}

const log = (line: string): void => send({ kind: 'log', line });

/** Blocks this thread until the container's thread has answered. */
function callRestApi(method: string, path: string, body: PyProxy): [number, Uint8Array] {
  Atomics.store(settings.signal, 0, 0);
  restPort.postMessage({ method, path, body: toBytes(body) });
  Atomics.wait(settings.signal, 0, 0);
  const reply: { message: RestReply } | undefined = receiveMessageOnPort(restPort);
  if (!reply) throw new Error('the REST API gave no answer');
  return [reply.message.status, Buffer.from(reply.message.body, 'utf8')];
}

function toBytes(proxy: PyProxy): Uint8Array {
  const buffer = proxy.getBuffer('u8');
  const bytes = new Uint8Array(buffer.data);
  buffer.release();
  proxy.destroy();
  return bytes;
}

async function boot(): Promise<void> {
  const python = await loadPyodide({
    stdout: log,
    stderr: log,
    env: { HOME: '/root', ...settings.environment },
  });
  python.FS.mkdirTree('/opt/ml/model');
  python.mountNodeFS('/opt/ml/model', settings.modelDir);
  python.FS.mkdirTree('/sagemaker');
  for (const name of ['requests', 'python_service']) {
    const source = readFileSync(new URL(`python/${name}.py`, import.meta.url));
    python.FS.writeFile(`/sagemaker/${name}.py`, source);
  }
  python.globals.set('call_rest_api', callRestApi);
  python.globals.set('rest_port', settings.restPort);
  python.globals.set('has_timeout', settings.hasTimeout);
  const service = python.runPython(`
import sys
sys.path[:0] = ['/opt/ml/model/code', '/opt/ml/model/code/lib', '/sagemaker']
import requests, python_service
def transport(method, path, body):
    status, content = call_rest_api(method, path, body)
    return status, content.to_bytes()
requests._transport = transport
requests._rest_port = rest_port
def invoke(body, context):
    return python_service.handle(body.to_bytes(), context.to_py())
def invoke_input(request_id, body, context):
    return python_service.handle_input(request_id, body.to_bytes(), context.to_py())
def invoke_output(request_id, status, body):
    return python_service.handle_output(request_id, status, body.encode() if isinstance(body, str) else body.to_bytes())
python_service
`);
  const kind = loadScript(service);
  if (kind === undefined) return;
  serve(kind, {
    invoke: python.globals.get('invoke'),
    input: python.globals.get('invoke_input'),
    output: python.globals.get('invoke_output'),
  });
  send({ kind: 'ready' });
}

function loadScript(
  service: PyProxy & { load: PyCallable; explain_load_failure: PyCallable },
): string | undefined {
  try {
    return String(service.load('/opt/ml/model/code/inference.py', settings.hasTimeout));
  } catch (error) {
    log(error instanceof Error ? error.message : String(error));
    const [type, missing, text]: (string | undefined)[] = service.explain_load_failure().toJs();
    const reason = missing
      ? `code/inference.py imports ${missing}, which is not in Python's standard library: run with \`--handlers python\``
      : `code/inference.py: ${type}: ${text}`;
    send({ kind: 'refused', reason });
    return undefined;
  }
}

interface Functions {
  readonly invoke: PyCallable;
  readonly input: PyCallable;
  readonly output: PyCallable;
}

function serve(kind: string, functions: Functions): void {
  port.on('message', (message: ToInterpreter) => {
    const { id } = message;
    if (message.kind === 'served') {
      answer(id, functions.output(id, message.status, message.body));
    } else if (kind === 'handler') {
      answer(id, functions.invoke(message.body, message.context));
    } else {
      answer(id, functions.input(id, message.body, message.context));
    }
  });
}

function answer(id: number, result: PyProxy & { get(index: number): unknown }): void {
  const status = Number(result.get(0));
  const body = toBytes(toProxy(result.get(1)));
  const contentType = result.get(2);
  result.destroy();
  if (status === 0) send({ kind: 'serve', id, body });
  else
    send({
      kind: 'answer',
      id,
      status,
      body,
      contentType: contentType === undefined ? null : String(contentType),
    });
}

function toProxy(value: unknown): PyProxy {
  if (isProxy(value)) return value;
  throw new TypeError('expected Python bytes');
}

function isProxy(value: unknown): value is PyProxy {
  return typeof value === 'object' && value !== null && 'getBuffer' in value;
}

await boot();
