import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { connectPyodide } from '../handlers/connect-pyodide.ts';
import type { InterpreterOptions } from '../handlers/interpreter.ts';
import type { PythonService } from '../handlers/python-service.ts';
import { isolation } from '../handlers/sandbox.ts';
import { startSupervisedService } from '../handlers/supervised-service.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

/**
 * Runs the Python that it is sent, and answers with `got`. `js(name)` finds whatever object of JavaScript Python's
 * memory holds, by a member or by the name that it goes by.
 */
const SCRIPT = `
import gc, sys

def js(name):
    seen, todo = set(), [*gc.get_objects(), *sys.modules.values()]
    while todo:
        one = todo.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        if type(one).__name__ == 'JsProxy' and hasattr(one, name):
            return getattr(one, name)
        if isinstance(one, dict) and type(one.get(name)).__name__ == 'JsProxy':
            return one[name]
        todo.extend(gc.get_referents(one))
    raise LookupError(name)

def handler(data, context):
    scope = {'js': js}
    try:
        exec(data.read().decode(), scope)
        return f'GOT {scope["got"]!r}', 'text/plain'
    except BaseException as error:
        return f'refused: {type(error).__name__}: {error}', 'text/plain'
`;

const UNPROTECTED = fileURLToPath(new URL('./unprotected-pyodide.ts', import.meta.url));

/** Stands for the stack: nothing may connect. */
const connections: unknown[] = [];
const server = createServer((socket) => {
  connections.push(socket.remotePort);
  socket.destroy();
});
let port = 0;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (typeof address === 'object' && address !== null) ({ port } = address);
});
afterAll(() => server.close());

const log: string[] = [];
function model(script = SCRIPT) {
  const modelDir = temporaryFolder('attack-');
  mkdirSync(join(modelDir, 'code'));
  writeFileSync(join(modelDir, 'code/inference.py'), script);
  return modelDir;
}
function interpreter(modelDir: string, timeoutMs = 600_000): InterpreterOptions {
  return {
    modelDir,
    environment: { GREETING: 'hello' },
    restPort: 8501,
    networkIsolation: false,
    pythonMinor: 12,
    hasTimeout: true,
    restApi: { answer: () => Promise.resolve({ status: 200, body: '{}' }) },
    servingPath: () => '/v1/models/model:predict',
    context: () => [null, null, null, '', '9000', null, null, 'text/plain', 'text/plain', 60],
    answerFor: () => undefined,
    timeoutMs,
    log: (line) => void log.push(line),
  };
}
const request = (body: string) => ({
  body: Buffer.from(body),
  contentType: undefined,
  accept: undefined,
  customAttributes: undefined,
});

/** What an attack comes back with where the interpreter survives it, else how that ended. */
async function attack(service: PythonService, python: string) {
  return service.invoke(request(python)).then(
    ({ body }) => body.toString(),
    (error: unknown) => `ended: ${String(error)}`,
  );
}

type Attack = readonly [name: string, python: string, answer: string | RegExp];

/** Each succeeds in Pyodide as it comes. */
const THROUGH_JAVASCRIPT: readonly Attack[] = [
  ['the js module', 'import js; got = js.process.pid', 'refused: ModuleNotFoundError'],
  ['the pyodide_js module', 'import pyodide_js; got = pyodide_js.version', 'refused: ModuleNotFoundError'],
  ['run_js', 'from pyodide.code import run_js\ngot = run_js("process.pid")', 'refused: ModuleNotFoundError'],
  [
    "a bridge function's constructor",
    'got = js("mountNodeFS").constructor.constructor("return process")().pid',
    'refused: JsException: EvalError: Code generation from strings disallowed',
  ],
  [
    'getBuiltinModule by a constructor',
    'fs = js("mountNodeFS").constructor("return process.getBuiltinModule(\'fs\')")(); got = fs.readdirSync("/")',
    'refused: JsException: EvalError',
  ],
  [
    'import() by a constructor',
    'got = js("mountNodeFS").constructor("return import(\'node:fs\')")()',
    'refused: JsException: EvalError',
  ],
  [
    'mountNodeFS',
    'js("mountNodeFS")("/host", "/etc"); got = open("/host/passwd").read()',
    "refused: JsException: Error: hostPath '/etc' does not exist",
  ],
  [
    'a mount of /proc',
    'js("mountNodeFS")("/process", "/proc"); got = open("/process/self/environ").read()',
    "refused: JsException: Error: hostPath '/proc' does not exist",
  ],
  [
    "Emscripten's own file system of the host",
    `fs = js("FS"); root = fs.constructor.new(); root.root = "/etc"
fs.mkdirTree("/h"); fs.mount(fs.filesystems.NODEFS, root, "/h"); got = open("/h/passwd").read()`,
    'refused: JsException: Error: A value of type object',
  ],
  [
    'another root of the file system that is there',
    `import os; fs = js("FS"); at = fs.lookupPath("/opt" if os.path.exists("/opt/ml") else "/tmp").node
at.mount = fs.constructor.new(); at.mount.opts = fs.constructor.new(); at.mount.opts.root = "/etc"
nodes = fs.filesystems.NODEFS; at.node_ops = nodes.node_ops; at.name_next = None
got = list(nodes.node_ops.readdir(at))`,
    'refused: JsException: Error: A value of type object',
  ],
];

const REFUSED: readonly Attack[] = [
  ['a file of the host', 'got = open("/etc/hostname").read()', 'refused: FileNotFoundError'],
  ['/proc/self/environ', 'got = open("/proc/self/environ").read()', /refused: .*Error/],
  ['..', 'got = open("/opt/ml/model/../../../../../etc/hostname").read()', 'refused: FileNotFoundError'],
  [
    'writing into the archive',
    'with open("/opt/ml/model/new", "w") as f: f.write("x")',
    'refused: PermissionError',
  ],
  [
    'writing over the script',
    'with open("/opt/ml/model/code/inference.py", "a") as f: f.write("x")',
    'refused: PermissionError',
  ],
  ['a folder in the archive', 'import os; os.mkdir("/opt/ml/model/folder")', 'refused: PermissionError'],
  ['removal', 'import os; os.remove("/opt/ml/model/code/inference.py")', 'refused: PermissionError'],
  [
    'renaming',
    'import os; os.rename("/opt/ml/model/code", "/opt/ml/model/edoc")',
    'refused: PermissionError',
  ],
  ['a symbolic link', 'import os; os.symlink("/etc", "/opt/ml/model/etc")', 'refused: PermissionError'],
  ['os.system', 'import os; got = os.system("id")', 'refused: PermissionError'],
  ['os.popen', 'import os; got = os.popen("id").read()', /refused: .*Error/],
  ['subprocess', 'import subprocess; got = subprocess.run(["id"])', 'refused: OSError'],
  ['os.fork', 'import os; got = os.fork()', /refused: .*Error/],
  ['os.kill of the parent', 'import os; os.kill(os.getppid(), 9)', /refused: .*Error/],
  ['a thread', 'import threading; threading.Thread(target=print).start()', 'refused: RuntimeError'],
  [
    'a socket',
    'import socket; got = socket.create_connection(("127.0.0.1", PORT)).send(b"x")',
    'refused: OSError',
  ],
  [
    'urllib',
    'import urllib.request; got = urllib.request.urlopen("http://127.0.0.1:PORT/").read()',
    'refused: URLError',
  ],
  [
    'pyfetch',
    'from pyodide.http import pyfetch; got = pyfetch("http://127.0.0.1:PORT/").send(None)',
    /refused: .*(Error|Exception)/,
  ],
  [
    'pyxhr',
    'from pyodide.http import pyxhr; got = pyxhr.get("http://127.0.0.1:PORT/")',
    /refused: .*(Error|Exception)/,
  ],
  [
    'another host',
    'import requests; got = requests.get("http://127.0.0.1:PORT/")',
    'refused: ConnectionError',
  ],
  ['a library', 'import ctypes; ctypes.CDLL("/lib/x86_64-linux-gnu/libc.so.6")', /refused: .*Error/],
  [
    'sockets of Node, as Pyodide offers them',
    'import socket; js("useNodeSockFS")(); got = socket.create_connection(("127.0.0.1", PORT)).send(b"x")',
    'refused: OSError',
  ],
  [
    'a file by the loader of packages',
    'from pyodide.ffi import run_sync; got = run_sync(js("loadBinaryFile")("/etc/passwd"))',
    /refused: .*Error/,
  ],
  [
    'a library by the loader of packages',
    'from pyodide.ffi import run_sync; got = run_sync(js("loadDynlib")("/lib/x86_64-linux-gnu/libc.so.6", True))',
    /refused: .*Error/,
  ],
  [
    'a package of the network',
    'from pyodide.ffi import run_sync; got = run_sync(js("loadPackage")("http://127.0.0.1:PORT/a.whl"))',
    /refused: .*Error/,
  ],
  ['the js module, brought back', 'got = js("pyimport")("js")', 'refused: ModuleNotFoundError'],
  ['2 GiB and more', 'got = len(bytearray((1 << 31) - 1))', 'refused: MemoryError'],
];

/** These end the process; the next request has another one. */
const ENDED: readonly [name: string, python: string, how: RegExp][] = [
  ['an exit', 'import os; os._exit(3)', /code 1/],
  [
    'a script of JavaScript from C',
    'import ctypes; ctypes.CDLL(None).emscripten_run_script(b"process.exit(7)")',
    /Code generation|code 1/,
  ],
  ['a program from C', 'import ctypes; ctypes.CDLL(None).system(b"id > /tmp/owned")', /code 1/],
  [
    'an answer to a request that it was not given',
    'js("reply")(999, 200, "x", "text/plain")',
    /it has no request 999 to answer/,
  ],
  ['a header in a content type', 'js("reply")(0, 200, "x", "a\\r\\nset-cookie: b")', /broke its channel/],
  ['an impossible status', 'js("reply")(0, 99, "x", "text/plain")', /broke its channel/],
];

describe.each([
  ['as this machine isolates it', isolation],
  ['without namespaces', () => Promise.resolve([])],
])('a script in Pyodide, %s', (_name, alone) => {
  const modelDir = model();
  let service: PythonService;
  beforeAll(async () => {
    service = await startSupervisedService(interpreter(modelDir), connectPyodide(alone));
  });
  afterAll(async () => {
    await service.close();
    expect(readdirSync(modelDir, { recursive: true })).toEqual(['code', 'code/inference.py']);
    expect(readFileSync(join(modelDir, 'code/inference.py'), 'utf8')).toBe(SCRIPT);
  });

  test('reads its archive, writes its own memory, has its variables and chance', async () => {
    const python = `
import os, random, time
open('/tmp/mine', 'w').write('x')
random.random(); time.sleep(0.001); os.urandom(4)
got = open('/opt/ml/model/code/inference.py').read()[1:10], os.environ['GREETING'], 'PATH_OF_USER' in os.environ, os.listdir('/tmp')`;
    expect(await attack(service, python)).toBe(`GOT ('import gc', 'hello', False, ['mine'])`);
  });

  test.each([...THROUGH_JAVASCRIPT, ...REFUSED])('%s is refused', async (_attack, python, answer) => {
    const refused = await attack(service, python.replaceAll('PORT', String(port)));
    expect(refused).toMatch(typeof answer === 'string' ? new RegExp(`^${answer}`) : answer);
    expect(refused).not.toContain('GOT');
    expect(connections).toEqual([]);
  });

  test.each(ENDED)('%s ends its process only', async (_attack, python, how) => {
    expect(await attack(service, python)).toMatch(how);
    expect(existsSync('/tmp/owned')).toBe(false);
    expect(await attack(service, 'got = 1')).toBe('GOT 1');
  });
});

test('what is refused succeeds in Pyodide as it comes', async () => {
  const child = execFile(process.execPath, [UNPROTECTED], { maxBuffer: 64 * 1024 ** 2 });
  child.stdin?.end(
    JSON.stringify({ script: SCRIPT, attacks: THROUGH_JAVASCRIPT.map(([, python]) => python) }),
  );
  const [answers] = await Promise.all([text(child.stdout!), once(child, 'close')]);
  const results = (JSON.parse(answers) as string[]).map((one) => one.slice(0, 3));
  expect(results).toEqual(THROUGH_JAVASCRIPT.map(() => 'GOT'));
});

test('an endless loop is ended', async () => {
  const service = await startSupervisedService(interpreter(model(), 1_000), connectPyodide());
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const endless = attack(service, 'while True: pass');
  // The limit begins once the request has been sent.
  while (vi.getTimerCount() === 0) await new Promise(setImmediate);
  vi.advanceTimersByTime(1_000);
  expect(await endless).toContain('the handler did not answer within 1 seconds');
  expect(await attack(service, 'got = 1')).toBe('GOT 1');
  vi.useRealTimers();
  await service.close();
});

test('a link in the folder of the model is refused', async () => {
  const modelDir = model();
  symlinkSync('/etc', join(modelDir, 'outside'));
  await expect(startSupervisedService(interpreter(modelDir), connectPyodide())).rejects.toThrow(
    'the folder of a model must hold no symbolic links',
  );
});
