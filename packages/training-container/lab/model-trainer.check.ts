import { access, chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { buildEnvironment } from '@inferdrop/model-container/internal/build-environment';
import { runTool } from '@inferdrop/model-container/internal/run-tool';
import { requireExactHosts } from '../hosts/find-namespaces.ts';
import { pythonJob } from './python-job.ts';

/** Lays out the channel `sm_drivers` as `ModelTrainer` does with `Torchrun()`: AWS's own drivers, and its script from its template. */
const DRIVERS = `
import importlib.util, json, pathlib, shutil, sys, sysconfig
train = pathlib.Path(sysconfig.get_path("purelib"), "sagemaker", "train")
spec = importlib.util.spec_from_file_location("templates", train / "templates.py")
templates = importlib.util.module_from_spec(spec); spec.loader.exec_module(templates)
driver = templates.EXEUCTE_DISTRIBUTED_DRIVER.format(driver_name="Torchrun", driver_script="torchrun_driver.py")
script = templates.TRAIN_SCRIPT_TEMPLATE.format(working_dir="cd /opt/ml/input/data/code \\n", install_requirements="", execute_driver=driver)
for data in sys.argv[1:]:
    drivers = pathlib.Path(data, "sm_drivers")
    shutil.copytree(train / "container_drivers", drivers)
    (drivers / "sm_train.sh").write_text(script)
    (drivers / "sourcecode.json").write_text(json.dumps({"source_dir": "src", "entry_script": "train.py"}))
    (drivers / "distributed.json").write_text(json.dumps({"process_count_per_node": None}))
`;

/** Stands for PyTorch's command of this name: it gives the script the ranks that its options say. */
const TORCHRUN = `
import os, sys
at = next(at for at, word in enumerate(sys.argv) if at > 0 and not word.startswith("--"))
options = dict(word[2:].split("=") for word in sys.argv[1:at])
os.environ.update(RANK=options["node_rank"], WORLD_SIZE=options["nnodes"], MASTER_ADDR=options["master_addr"], MASTER_PORT=options["master_port"])
os.execv(sys.executable, [sys.executable, *sys.argv[at:]])
`;

const TRAIN = `
import ctypes, os, socket, sys, time
rank, world = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
master = (os.environ["MASTER_ADDR"], int(os.environ["MASTER_PORT"]))
if rank == 0:
    listener = socket.socket(); listener.bind(master); listener.listen()
    peer = listener.accept()[0]; total = 1 + int(peer.recv(9)); peer.sendall(b"%d" % total)
else:
    for _ in range(1200):
        try: peer = socket.create_connection(master); break
        except ConnectionRefusedError: time.sleep(0.05)
    peer.sendall(b"%d" % (rank + 1)); total = int(peer.recv(9))
libc = ctypes.CDLL(None); libc.fopen.restype = ctypes.c_void_p
assert libc.fopen((os.environ["SM_MODEL_DIR"] + "/from-c").encode(), b"w")
print("rank", rank, "of", world, "sum", total, sys.argv[1:])
`;

const SM_TRAIN = '/opt/ml/input/data/sm_drivers/sm_train.sh';

let sdk: string;

beforeAll(async () => {
  const dir = join(process.env['INFERDROP_CACHE'] ?? '', 'sagemaker-train-1.27.0');
  sdk = await buildEnvironment({ dir, install: ['--no-deps', 'sagemaker-train==1.27.0'] });
});

/** The environment of a framework: a module `torch` with nothing but its version, and `torchrun`. */
async function framework(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'inferdrop-framework-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const python = await buildEnvironment({ dir: join(folder, 'framework'), install: [] });
  const purelib = 'import sysconfig; print(sysconfig.get_path("purelib"))';
  const packages = (await runTool(python, ['-c', purelib])).output.trim();
  await writeFile(join(packages, 'torch.py'), '__version__ = "2.6.0"\n');
  await writeFile(join(dirname(python), 'torchrun'), `#!${python}\n${TORCHRUN}`);
  await chmod(join(dirname(python), 'torchrun'), 0o755);
  return python;
}

const exact = await requireExactHosts().then(
  () => ['exact'] as const,
  () => [],
);

test.each(['portable', ...exact] as const)(
  'the drivers of the SDK’s version 3 start torchrun on two %s hosts, which meet',
  async (mode) => {
    const { end, folders, said } = await pythonJob({
      mode,
      python: await framework(),
      hostCount: 2,
      script: '',
      hyperparameters: { sagemaker_program: '""', epochs: '2', nested: '{"a": [1]}' },
      command: ['/bin/bash', '-c', `chmod +x ${SM_TRAIN} && ${SM_TRAIN}`],
      fill: async (hosts) => {
        const laid = await runTool(sdk, ['-c', DRIVERS, ...hosts.map(({ data }) => data)]);
        expect(laid).toMatchObject({ code: 0 });
        for (const { data } of hosts) {
          await mkdir(join(data, 'code'));
          await writeFile(join(data, 'code', 'train.py'), TRAIN);
        }
      },
    });
    expect(end).toEqual({ exitCodes: { 'algo-1': 0, 'algo-2': 0 } });
    for (const [rank, { host, model, data }] of folders.entries()) {
      expect(said(host)).toContain(
        `rank ${rank} of 2 sum 3 ['--sagemaker_program', '', '--epochs', '2', '--nested', '{"a": [1]}']`,
      );
      await access(join(model, 'from-c'));
      const script = await readFile(join(data, 'sm_drivers', 'sm_train.sh'), 'utf8');
      expect(script.includes(' /opt/ml/')).toBe(mode === 'exact');
    }
  },
);
