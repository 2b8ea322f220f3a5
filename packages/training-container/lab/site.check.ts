import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { buildEnvironment } from '@inferdrop/model-container/internal/build-environment';
import { findPython } from '@inferdrop/model-container/internal/find-python';
import { runTool } from '@inferdrop/model-container/internal/run-tool';
import { findMpi } from '../find-mpi.ts';
import { requireExactHosts } from '../hosts/find-namespaces.ts';
import type { TrainingChannel } from '../training-request.ts';
import { pythonJob } from './python-job.ts';

const OK = { 'algo-1': 0 };
let python: string;

beforeAll(async () => {
  python = (await findPython()).command;
});

test('names of hosts are this machine, and ports that containers name are a free one for each host', async () => {
  const { end, said } = await pythonJob({
    python,
    hostCount: 2,
    script: `
import os, socket, threading, time
assert socket.gethostbyname("algo-2") == "127.0.0.1"
assert socket.gethostbyname_ex("algo-1")[2] == ["127.0.0.1"]
listener = socket.socket(); listener.bind((os.environ["SM_CURRENT_HOST"], 2222)); listener.listen()
assert listener.getsockname()[1] != 2222
peer = "algo-1" if os.environ["SM_CURRENT_HOST"] == "algo-2" else "algo-2"
for _ in range(600):
    try: out = socket.create_connection((peer, 2222)); break
    except ConnectionRefusedError: time.sleep(0.05)
out.sendall(os.environ["SM_CURRENT_HOST"].encode())
print("heard of", listener.accept()[0].recv(99).decode())
`,
  });
  expect(end).toEqual({ exitCodes: { 'algo-1': 0, 'algo-2': 0 } });
  expect([said('algo-1'), said('algo-2')]).toEqual(['heard of algo-2', 'heard of algo-1']);
});

describe('the environment of a job', () => {
  /** Packs a wheel, installs it in three ways, and says what its child processes get. */
  const INSTALLS = `
import os, shutil, subprocess, sys, zipfile
def pack(name):
    wheel = f"{name}-1-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as file:
        file.writestr(f"{name}.py", "")
        file.writestr(f"{name}-1.dist-info/METADATA", f"Metadata-Version: 2.1\\nName: {name}\\nVersion: 1\\n")
        file.writestr(f"{name}-1.dist-info/WHEEL", "Wheel-Version: 1.0\\nGenerator: x\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
        file.writestr(f"{name}-1.dist-info/RECORD", "")
    return wheel
def run(*command): return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
try: import own_a; print("left by another job")
except ImportError: pass
quiet = ["install", "--quiet", "--no-index", "--disable-pip-version-check"]
run(sys.executable, "-m", "pip", *quiet, pack("own_a"))
run("pip", *quiet, pack("own_b"))
run("sh", "-c", "python -m pip " + " ".join(quiet) + " " + pack("own_c"))
import framework
assert framework.version == 1
for name in ["python", "python3", "pip", "pip3", "torchrun"]:
    assert os.path.dirname(shutil.which(name)) == os.path.dirname(sys.executable), (name, shutil.which(name))
print(run("python", "-c", "import framework, own_a, own_b, own_c, sys; print(sys.executable)") == sys.executable, run("torchrun") == sys.executable)
`;

  /** The environment of a framework, with one module and one command. */
  async function framework() {
    const folder = await mkdtemp(join(tmpdir(), 'inferdrop-framework-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const base = await buildEnvironment({ dir: join(folder, 'framework'), install: [], base: python });
    const purelib = 'import sysconfig; print(sysconfig.get_path("purelib"))';
    const packages = (await runTool(base, ['-c', purelib])).output.trim();
    await writeFile(join(packages, 'framework.py'), 'version = 1\n');
    const command = join(dirname(base), 'torchrun');
    await writeFile(command, `#!${base}\nimport framework, own_a, sys\nprint(sys.executable)\n`);
    await chmod(command, 0o755);
    return { base, packages };
  }

  test('has the commands of the framework, and what a script installs goes with it', async () => {
    const { base, packages } = await framework();
    const before = await readdir(packages);
    for (let job = 0; job < 2; job++) {
      const { end, said } = await pythonJob({ python: base, script: INSTALLS });
      expect(said('algo-1')).toBe('True True');
      expect(end).toEqual({ exitCodes: OK });
    }
    expect((await readdir(packages)).filter((name) => name !== '__pycache__')).toEqual(before);
  });

  /** An in-tree backend, so that pip needs no network to install `own_editable` in place. */
  const BACKEND = `
import pathlib, zipfile
def build_editable(folder, config_settings=None, metadata_directory=None):
    name = "own_editable-1-py3-none-any.whl"
    with zipfile.ZipFile(pathlib.Path(folder, name), "w") as file:
        file.writestr("own_editable.pth", str(pathlib.Path("src").resolve()))
        file.writestr("own_editable-1.dist-info/METADATA", "Metadata-Version: 2.1\\nName: own_editable\\nVersion: 1\\n")
        file.writestr("own_editable-1.dist-info/WHEEL", "Wheel-Version: 1.0\\nGenerator: x\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
        file.writestr("own_editable-1.dist-info/RECORD", "")
    return name
`;

  test('has what the .pth files of its framework load: editable packages, hooks, namespaces', async () => {
    const { base, packages } = await framework();
    const project = join(dirname(dirname(base)), 'project');
    await mkdir(join(project, 'src', 'shared_names'), { recursive: true });
    await mkdir(join(packages, 'shared_names'));
    const files = {
      [join(project, 'pyproject.toml')]:
        '[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n',
      [join(project, 'backend.py')]: BACKEND,
      [join(project, 'src', 'own_editable.py')]: '',
      [join(project, 'src', 'shared_names', 'one.py')]: '',
      [join(packages, 'shared_names', 'two.py')]: '',
      [join(packages, 'own_hook.py')]: 'import sys\nsys.own_hook = True\n',
      [join(packages, 'own_hook.pth')]: 'import own_hook\n',
    };
    for (const [file, text] of Object.entries(files)) await writeFile(file, text);
    const quiet = ['--quiet', '--no-index', '--disable-pip-version-check', '--no-build-isolation'];
    const made = await runTool(base, ['-m', 'pip', 'install', ...quiet, '--editable', project]);
    expect(made).toEqual({ code: 0, output: '' });
    const script = `
import subprocess, sys
text = "import sys, own_editable, shared_names.one, shared_names.two; print(sys.own_hook)"
exec(text); subprocess.run([sys.executable, "-c", text], check=True)
print(sorted(path for path in sys.path if sys.path.count(path) > 1 and "site-packages" in path))
`;
    const asked = await pythonJob({ python: base, script });
    expect(asked.said('algo-1')).toBe('True\nTrue\n[]');
    // Packages of requirements.txt are a layer between the framework's and the job's.
    const layered = await buildEnvironment({
      dir: join(dirname(dirname(base)), 'layered'),
      install: [],
      base: python,
      parent: dirname(dirname(base)),
    });
    const above = await pythonJob({ python: layered, script });
    expect(above.said('algo-1')).toBe('True\nTrue\n[]');
  });

  test('of an exact host is the only one that a script can change', async () => {
    const { base, packages } = await framework();
    await requireExactHosts();
    const script = `
import framework, os
for path in [framework.__file__, ${JSON.stringify(join(packages, 'new.py'))}]:
    try: open(path, "a"); print("wrote", path)
    except OSError as error: print(os.strerror(error.errno))
`;
    const { end, said } = await pythonJob({ python: base, script, mode: 'exact' });
    expect(end).toEqual({ exitCodes: OK });
    expect(said('algo-1').split('\n')).toEqual(Array(2).fill('Read-only file system'));
  });
});

test('/opt/ml is the host’s folder for Python’s file functions and for commands that Python starts', async () => {
  const { end, folders, said } = await pythonJob({
    python,
    script: `
import glob, json, os, pathlib, shutil, subprocess, tempfile
os.system("mkdir /opt/ml/model/code && echo 1 > /opt/ml/model/code/requirements.txt")
subprocess.run(["cp", "/opt/ml/model/code/requirements.txt", "/opt/ml/output/data/copied.txt"], check=True)
assert subprocess.check_output("cat copied.txt", shell=True, cwd="/opt/ml/output/data") == b"1\\n"
os.makedirs("/opt/ml/checkpoints/a/b"); pathlib.Path("/opt/ml/checkpoints/a/b/c").write_text("x")
os.rename("/opt/ml/checkpoints/a/b/c", "/opt/ml/checkpoints/a/d"); shutil.rmtree("/opt/ml/checkpoints/a/b")
shutil.copy("/opt/ml/checkpoints/a/d", "/opt/ml/model/d"); shutil.copytree("/opt/ml/model/code", "/opt/ml/output/data/code")
os.remove("/opt/ml/checkpoints/a/d")
assert json.load(open("/opt/ml/input/config/hyperparameters.json"))
assert os.path.exists("/opt/ml/model/d") and glob.glob("/opt/ml/model/*") and list(os.walk("/opt/ml/model"))
assert not os.path.exists("/opt/mlops")
print(sorted(os.listdir("/opt/ml/model")), os.listdir("/opt/ml/checkpoints/a"))
`,
  });
  expect(said('algo-1')).toBe(`['code', 'd'] []`);
  expect(end).toEqual({ exitCodes: OK });
  expect(await readFile(join(folders[0]?.model ?? '', 'code', 'requirements.txt'), 'utf8')).toBe('1\n');
});

test('under network isolation hosts reach each other, and nothing else', async () => {
  const { end, said } = await pythonJob({
    python,
    networkIsolation: true,
    environment: { AWS_ENDPOINT_URL: 'http://127.0.0.1:45999' },
    script: `
import socket
listener = socket.create_server(("127.0.0.1", 0)); socket.create_connection(listener.getsockname()[:2]).close()
for address in (("192.0.2.1", 80), ("127.0.0.1", 45999), ("sagemaker.invalid", 443)):
    try: socket.create_connection(address, timeout=5)
    except OSError as error: print(type(error).__name__, error.errno)
`,
  });
  expect(end).toEqual({ exitCodes: OK });
  expect(said('algo-1')).toMatch(/^gaierror -\d+\nOSError \d+\ngaierror -\d+$/);
});

test('a stop reaches handlers of Python, and a traceback becomes the reason', async () => {
  const stopped = await pythonJob({
    python,
    script: `
import os, signal, sys, time
def save(*_): open(os.environ["SM_MODEL_DIR"] + "/saved", "w").close(); print("saved"); sys.exit(0)
signal.signal(signal.SIGTERM, save)
print("ready")
while True: time.sleep(1)
`,
    onLine: (_host, text, stop) => void (text === 'ready' && stop()),
  });
  expect(stopped.end).toEqual({ exitCodes: OK });
  expect(stopped.said('algo-1')).toBe('ready\nsaved');
  const failed = await pythonJob({ python, script: `print("epoch 1")\nraise ValueError("no data")\n` });
  expect(failed.end.failure?.reason).toMatch(
    /^AlgorithmError: ExecuteUserScriptError:\nExitCode 1\nErrorMessage "(?:.*\n)*.*ValueError: no data"\nCommand ".* -- train\.py", exit code: 1$/,
  );
});

test.each(['TFRecord', 'RecordIO'] as const)(
  'Pipe mode gives every record of %s once an epoch',
  async (format) => {
    const records = Array.from({ length: 2_000 }, (_, at) => Buffer.from(`record ${at}`));
    const channel: TrainingChannel = {
      name: 'train',
      inputMode: 'Pipe',
      distribution: 'FullyReplicated',
      recordWrapper: format === 'RecordIO' ? 'RecordIO' : 'None',
      open: async function* (host) {
        for (const record of records.filter((_, at) => at % 2 === host)) yield bytesOf(format, record);
      },
    };
    const { end, said } = await pythonJob({
      python,
      hostCount: 2,
      channels: [channel],
      script: `
import os
from sagemaker_tensorflow.dataset import next_pipe
from sagemaker_tensorflow.records import read_records
def epoch():
    stream = next_pipe("train", "/opt/ml/pipe_state", "/opt/ml/input/data")
    return stream, read_records(stream, "${format}")
def count():
    stream, records = epoch()
    with stream: return [record.decode() for record in records]
early, records = epoch(); next(records); early.close()
for _ in range(3): found = count(); print(len(found), len(set(found)), found[1])
`,
    });
    expect(end).toEqual({ exitCodes: { 'algo-1': 0, 'algo-2': 0 } });
    expect(said('algo-1').split('\n')).toEqual(Array(3).fill('1000 1000 record 2'));
    expect(said('algo-2').split('\n')).toEqual(Array(3).fill('1000 1000 record 3'));
  },
);

const exactProblem = await requireExactHosts().then(
  () => undefined,
  (error: unknown) => String(error),
);

test.skipIf(exactProblem !== undefined)(
  `exact hosts have /opt/ml for C and for shells, and names for C${exactProblem === undefined ? '' : ` (${exactProblem})`}`,
  async () => {
    const { end, folders, said } = await pythonJob({
      mode: 'exact',
      python,
      hostCount: 2,
      script: `
import ctypes, os, socket, subprocess, sys
libc = ctypes.CDLL(None)
libc.fopen.restype = ctypes.c_void_p
file = ctypes.c_void_p(libc.fopen(b"/opt/ml/model/from-c", b"w"))
libc.fputs(b"written in C", file); libc.fclose(file)
os.system("cp /opt/ml/model/from-c /opt/ml/output/data/copied")
open("job.sh", "w").write("mkdir -p /opt/ml/checkpoints/a; hostname > /opt/ml/checkpoints/a/host")
subprocess.run(["sh", "job.sh"], check=True)
assert "sitecustomize" not in sys.modules or "inferdrop" not in (sys.modules["sitecustomize"].__file__ or "")
listener = socket.create_server(("", 2222))
print(socket.gethostname(), os.getcwd(), os.environ["SM_MODEL_DIR"], [socket.gethostbyname("algo-%d" % n) for n in (1, 2)], os.getuid())
`,
    });
    expect(end).toEqual({ exitCodes: { 'algo-1': 0, 'algo-2': 0 } });
    for (const { host, outputData, checkpoints } of folders) {
      expect(said(host)).toBe(`${host} /opt/ml/code /opt/ml/model ['10.99.0.1', '10.99.0.2'] 0`);
      expect(await readFile(join(outputData, 'copied'), 'utf8')).toBe('written in C');
      expect(await readFile(join(checkpoints, 'a', 'host'), 'utf8')).toBe(`${host}\n`);
    }
  },
);

/** A TFRecord's checksums are not compared by the reader; they are zeros here. */
async function* bytesOf(format: 'TFRecord' | 'RecordIO', record: Buffer): AsyncGenerator<Uint8Array> {
  if (format === 'RecordIO') return yield record;
  const head = Buffer.alloc(12);
  head.writeUInt32LE(record.length, 0);
  yield Buffer.concat([head, record, Buffer.alloc(4)]);
}

test.each([
  ['of another entry point', { 'other.py': 'import horovod.torch as hvd' }, 'mpi4py'],
  ['in a text', { 'train.py': 'from mpi4py import MPI\nhelp = """\nimport horovod\n"""' }, 'mpi4py'],
  [
    'of the entry point',
    { 'train.py': 'try: from horovod import torch as hvd\nexcept ImportError: hvd = None' },
    'horovod',
  ],
  [
    'of a module that it uses',
    {
      'train.py': 'from lib import steps',
      'lib/__init__.py': '',
      'lib/steps.py': 'def run():\n  import horovod',
    },
    'horovod',
  ],
])('an import of horovod %s decides what MPI needs', async (_, files, needed) => {
  const code = await mkdtemp(join(tmpdir(), 'inferdrop-source-'));
  onTestFinished(() => rm(code, { recursive: true, force: true }));
  await mkdir(join(code, 'lib'));
  for (const [name, text] of Object.entries({ 'train.py': 'from mpi4py import MPI', ...files }))
    await writeFile(join(code, name), text);
  const named = needed === 'horovod' ? /train\.py imports horovod/ : /needs Open MPI and mpi4py/;
  await expect(findMpi(python, code, 'train.py')).rejects.toThrow(named);
});
