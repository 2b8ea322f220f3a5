/**
 * Entry of the thread that runs code/inference.py in Pyodide.
 *
 * Gap: packages outside of the standard library are refused; threads and subprocesses do not exist in WebAssembly.
 */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path/posix';
import type { MessagePort } from 'node:worker_threads';
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import type { PyCallable, PyProxy } from 'pyodide/ffi';
import { bootPyodide } from './boot-pyodide.ts';
import type { Body, FromInterpreter, InterpreterSettings, RestReply, ToInterpreter } from './messages.ts';
import { createOutbox } from './outbox.ts';

if (!parentPort) throw new Error('pyodide-worker.ts must run in a worker thread');
const port: MessagePort = parentPort;
const { settings, restPort }: { settings: InterpreterSettings; restPort: MessagePort } = workerData;
const SERVE = 0;

const send = createOutbox<FromInterpreter>((messages) => port.postMessage(messages));
const log = (line: string): void => send({ kind: 'log', line });

/** Blocks this thread until the container's thread has answered. */
function callRestApi(method: string, path: string, body: PyProxy | string): [number, string] {
  Atomics.store(settings.signal, 0, 0);
  restPort.postMessage({ method, path, body: toBody(body) });
  Atomics.wait(settings.signal, 0, 0);
  const reply: { message: RestReply } | undefined = receiveMessageOnPort(restPort);
  if (!reply) throw new Error('the REST API gave no answer');
  return [reply.message.status, reply.message.body];
}

function reply(id: number, status: number, proxy: PyProxy | string, contentType: string | undefined): void {
  const body = toBody(proxy);
  send(status === SERVE ? { kind: 'serve', id, body } : { kind: 'answer', id, status, body, contentType });
}

/** Text as it is; of Python bytes a copy, before they are freed. */
function toBody(value: PyProxy | string): Body {
  if (typeof value === 'string') return value;
  const buffer = value.getBuffer('u8');
  const bytes = new Uint8Array(buffer.data);
  buffer.release();
  return bytes;
}

const BRIDGE = `
import sys
sys.path[:0] = ['/opt/ml/model/code', '/opt/ml/model/code/lib', '/sagemaker']
import requests, python_service

def transport(method, path, body):
    status, content = call_rest_api(method, path, python_service._to_wire(body))
    return status, content.encode()

requests._transport = transport
requests._rest_port = rest_port

def load_script():
    try:
        python_service.load('/opt/ml/model/code/inference.py', has_timeout, reply, requests)
    except BaseException as error:
        return python_service.explain(error)

def invoke(request_id, body, context):
    python_service.invoke(request_id, body.to_bytes(), context)
`;

async function boot(): Promise<void> {
  const python = await bootPyodide({ environment: settings.environment, log });
  python.FS.mkdirTree('/opt/ml/model');
  python.mountNodeFS('/opt/ml/model', settings.modelDir);
  python.FS.mkdirTree('/sagemaker');
  for (const file of ['pyodide/requests.py', 'python/python_service.py']) {
    const source = readFileSync(new URL(file, import.meta.url));
    python.FS.writeFile(`/sagemaker/${basename(file)}`, source);
  }
  const globals = {
    call_rest_api: callRestApi,
    reply,
    rest_port: settings.restPort,
    has_timeout: settings.hasTimeout,
  };
  for (const [name, value] of Object.entries(globals)) python.globals.set(name, value);
  python.runPython(BRIDGE);
  const failure: string | undefined = python.globals.get('load_script')();
  if (failure !== undefined) return send({ kind: 'refused', ...toReason(failure) });
  const invoke: PyCallable = python.globals.get('invoke');
  const serveOutput: PyCallable = python.runPython('python_service.serve_output');
  const forget: PyCallable = python.runPython('python_service.forget');
  port.on('message', (messages: readonly ToInterpreter[]) => {
    for (const message of messages) {
      if (message.kind === 'invoke') invoke(message.id, message.body, message.context);
      else if (message.kind === 'served') serveOutput(message.id, message.status, message.body);
      else forget(message.id);
    }
  });
  send({ kind: 'ready' });
}

function toReason(failure: string): { reason: string; needsPython: boolean } {
  const [type, missing, text]: readonly (string | null)[] = JSON.parse(failure);
  const reason = missing
    ? `code/inference.py imports ${missing}, which is not in Python's standard library: run with \`--handlers python\``
    : `code/inference.py: ${type}: ${text}`;
  return { reason, needsPython: Boolean(missing) };
}

await boot();
