/**
 * Entry of the process that runs code/inference.py in Pyodide. It has no event loop: it reads a message, runs Python, writes what came
 * of it, and reads the next one.
 *
 * Gap: packages outside of the standard library are refused; threads and subprocesses do not exist in WebAssembly.
 */
import { readFileSync } from 'node:fs';
import type { PyCallable, PyProxy } from 'pyodide/ffi';
import { bootPyodide } from './boot-pyodide.ts';
import { openFrameChannel } from './frame-channel.ts';
import { lockDown } from './lock-down.ts';

type FromStack =
  | {
      readonly kind: 'start';
      /** Folder that is `/opt/ml/model` to the script. */
      readonly modelDir: string;
      readonly snapshot: string;
      readonly environment: Readonly<Record<string, string>>;
      /** Python 3.`pythonMinor` is the image's. */
      readonly pythonMinor: number;
      /** `context.timeout` exists since the images of TensorFlow 2.20. */
      readonly hasTimeout: boolean;
      readonly restPort: number;
    }
  | { readonly kind: 'invoke'; readonly id: number; readonly context: string }
  | { readonly kind: 'served'; readonly id: number; readonly status: number }
  | { readonly kind: 'forget'; readonly id: number }
  /** To a `call`. */
  | { readonly kind: 'reply'; readonly status: number };

type Frame = NonNullable<ReturnType<typeof channel.receive>>;

const SERVE = 0;
const { exit } = process;
const channel = openFrameChannel<FromStack>();
const log = (line: string): void => channel.send({ kind: 'log', line });
// Node itself would print the line of code, which in Pyodide has a megabyte.
process.on('uncaughtException', ({ message }) => {
  process.exitCode = 1;
  log(message);
  exit(1);
});

function receive(): Frame {
  return channel.receive() ?? exit(0);
}

/** Came while Python waited for a reply. */
const inbox: Frame[] = [];

/** Text of the model's REST API, as a request of the script's own. */
function callRestApi(method: string, path: string, body: PyProxy | string): [number, string] {
  channel.hold({ kind: 'call', method, path }, toBytes(body));
  for (;;) {
    const frame = receive();
    if (frame.header.kind === 'reply') return [frame.header.status, frame.body.toString()];
    inbox.push(frame);
  }
}

function reply(id: number, status: number, body: PyProxy | string, contentType: string | undefined): void {
  channel.hold(
    status === SERVE ? { kind: 'serve', id } : { kind: 'answer', id, status, contentType },
    toBytes(body),
  );
}

/** A copy of Python bytes, made before they are freed. Text crosses from WebAssembly several times faster than bytes. */
function toBytes(value: PyProxy | string): Uint8Array {
  if (typeof value === 'string') return Buffer.from(value);
  const buffer = value.getBuffer('u8');
  const bytes = new Uint8Array(buffer.data);
  buffer.release();
  return bytes;
}

const BRIDGE = `
import json, os, python_check, sys
# The archive may have a module of this name.
del sys.modules['python_check']
sys.path[:0] = ['/opt/ml/model/code', '/opt/ml/model/code/lib', '/sagemaker']
import requests, python_service

def transport(method, path, body):
    status, content = call_rest_api(method, path, python_service._to_wire(body))
    return status, content.encode()

requests._transport = transport
requests._rest_port = rest_port

def system(command):
    raise PermissionError('a handler that runs in Pyodide cannot start a program: run with \`--handlers python\`')

os.system = system
for bridge in ('js', 'pyodide_js', 'pyodide_js._api'):
    sys.modules.pop(bridge, None)
# Node's generator of random numbers is fetched on first use.
os.urandom(1)

def check_script():
    for one in python_check.check_folder('/opt/ml/model', python_minor):
        if one['kind'] == 'remark':
            print(one['text'])
        elif one['kind'] != 'syntax':
            return json.dumps(one)

def load_script():
    try:
        python_service.load('/opt/ml/model/code/inference.py', has_timeout, reply, requests)
    except BaseException as error:
        return python_service.explain(error)

def invoke(request_id, body, context):
    python_service.invoke(request_id, body.to_bytes(), context)
`;

const SOURCES = {
  'requests.py': new URL('./pyodide/requests.py', import.meta.url),
  'python_service.py': new URL('./python/python_service.py', import.meta.url),
};

const { header: settings } = receive();
if (settings.kind !== 'start') throw new Error(`the first message must be start, is ${settings.kind}`);
const python = await bootPyodide({ ...settings, log });
python.FS.mkdirTree('/opt/ml/model');
python.mountNodeFS('/opt/ml/model', settings.modelDir);
python.FS.mkdirTree('/sagemaker');
for (const [name, source] of Object.entries(SOURCES))
  python.FS.writeFile(`/sagemaker/${name}`, readFileSync(source));
const globals = {
  call_rest_api: callRestApi,
  reply,
  python_minor: settings.pythonMinor,
  rest_port: settings.restPort,
  has_timeout: settings.hasTimeout,
};
for (const [name, value] of Object.entries(globals)) python.globals.set(name, value);
python.runPython(BRIDGE);
const checkScript: PyCallable = python.globals.get('check_script');
const loadScript: PyCallable = python.globals.get('load_script');
const invoke: PyCallable = python.globals.get('invoke');
const serveOutput: PyCallable = python.runPython('python_service.serve_output');
const forget: PyCallable = python.runPython('python_service.forget');
for (const bridge of ['js', 'pyodide_js']) python.unregisterJsModule(bridge);
lockDown(log);

const finding: string | undefined = checkScript();
const failure: string | undefined = finding === undefined ? loadScript() : undefined;
if (finding !== undefined) channel.send({ kind: 'refused', ...toRefusal(finding) });
else channel.send(failure === undefined ? { kind: 'ready' } : { kind: 'refused', ...toReason(failure) });

for (;;) {
  const { header, body } = inbox.shift() ?? receive();
  switch (header.kind) {
    case 'invoke':
      invoke(header.id, new Uint8Array(body.buffer, body.byteOffset, body.length), header.context);
      break;
    case 'served':
      serveOutput(header.id, header.status, body.toString());
      break;
    case 'forget':
      forget(header.id);
      break;
    case 'start':
    case 'reply':
      throw new Error(`${header.kind} has no place here`);
  }
}

function toRefusal(text: string): { reason: string; needsPython: boolean; alternative: string } {
  const found: { kind: string; text: string; alternative: string } = JSON.parse(text);
  return { reason: found.text, needsPython: found.kind === 'refused', alternative: found.alternative };
}

function toReason(text: string): { reason: string; needsPython: boolean } {
  const [type, missing, message]: readonly (string | null)[] = JSON.parse(text);
  const reason = missing
    ? `code/inference.py imports ${missing}, which is not in Python's standard library`
    : `code/inference.py: ${type}: ${message}`;
  return { reason, needsPython: Boolean(missing) };
}
