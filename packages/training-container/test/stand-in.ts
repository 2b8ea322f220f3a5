import { chmod, mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepareHosts } from '../prepare-hosts.ts';
import { runHosts } from '../run-hosts.ts';
import type { HostFolders, TrainingEnd, TrainingRequest } from '../training-request.ts';

/**
 * A program that stands for `python`: it runs scripts that are JavaScript, prints the arguments of modules, and knows `-m venv`,
 * `-m pip`, `-c` and the two servers of this package as far as launchers need them.
 */
const STAND_IN = `#!${process.execPath}
const fs = require('node:fs'), path = require('node:path');
const args = process.argv.slice(2);
const forever = () => setInterval(() => {}, 1000);
if (args[0] === '-c') {
  console.log(args[1].includes('sysconfig') ? path.dirname(__filename) : fs.readFileSync(path.join(path.dirname(fs.realpathSync(__filename)), 'modules'), 'utf8'));
} else if (args[0] === '-E') {
  const bin = path.join(args[2], 'bin');
  fs.mkdirSync(bin, { recursive: true });
  fs.symlinkSync(fs.realpathSync(__filename), path.join(bin, 'python'));
  fs.writeFileSync(path.join(args[2], 'PATH'), bin + ':' + path.dirname(fs.realpathSync(__filename)));
} else if (args[0] === '-m' && args[1] === 'venv') {
  fs.mkdirSync(path.join(args[2], 'bin'), { recursive: true });
  fs.symlinkSync(fs.realpathSync(__filename), path.join(args[2], 'bin', 'python'));
} else if (args[0] === '-m' && args[1] === 'pip') {
  const wanted = fs.readFileSync('requirements.txt', 'utf8').trim();
  console.log('Collecting ' + wanted);
  if (wanted === 'no-such-package') { console.error('ERROR: No matching distribution found for no-such-package'); process.exit(1); }
} else if (args[0] === '-m') {
  console.log(JSON.stringify(args));
} else if (args[0].endsWith('inferdrop_parameter_server.py')) {
  console.log('server ' + process.env.TF_CONFIG); forever();
} else if (args[0].endsWith('inferdrop_horovod_rendezvous.py')) {
  console.log('rendezvous 4711'); forever();
} else {
  const [program, ...rest] = args[0] === '--' ? args.slice(1) : args;
  process.argv = [process.argv[0], program, ...rest];
  new Function('require', 'process', fs.readFileSync(program, 'utf8'))(require, process);
}
`;

export interface StandInJob {
  readonly request: TrainingRequest;
  readonly folders: readonly HostFolders[];
  readonly lines: readonly (readonly [host: string, text: string])[];
  /** Hears lines as they come. */
  onLine: (host: string, text: string) => void;
  run(stop?: AbortSignal): Promise<TrainingEnd>;
}

/** A job of hosts with the same files of source; `train.py` is JavaScript. */
export async function standInJob(
  source: Readonly<Record<string, string>>,
  more: Partial<TrainingRequest> = {},
  modules = '',
): Promise<StandInJob> {
  const folder = await mkdtemp(join(tmpdir(), 'inferdrop-training-'));
  const python = join(folder, 'environment', 'bin', 'python');
  await mkdir(join(folder, 'environment', 'bin'), { recursive: true });
  await writeFile(python, STAND_IN);
  await writeFile(join(folder, 'environment', 'bin', 'modules'), modules);
  await chmod(python, 0o755);
  const request: TrainingRequest = {
    mode: 'portable',
    name: 'mnist-1',
    arn: 'arn:aws:sagemaker:us-east-1:000000000000:training-job/mnist-1',
    region: 'us-east-1',
    framework: 'pytorch',
    python,
    environmentsDir: join(folder, 'environments'),
    root: join(folder, 'job'),
    hostCount: 1,
    instanceType: 'ml.m5.xlarge',
    gpusPerHost: 0,
    channels: [],
    environment: {},
    networkIsolation: false,
    graceMs: 5_000,
    ...more,
    hyperparameters: { sagemaker_program: '"train.py"', ...more.hyperparameters },
  };
  const folders = await prepareHosts(request);
  for (const { code } of folders)
    for (const [name, text] of Object.entries(source)) {
      await mkdir(join(code, name, '..'), { recursive: true });
      await writeFile(join(code, name), text);
    }
  const lines: (readonly [string, string])[] = [];
  const job: StandInJob = {
    request,
    folders,
    lines,
    onLine: () => undefined,
    run: (stop = new AbortController().signal) =>
      runHosts(
        request,
        folders,
        {
          line(host, text) {
            lines.push([host, text]);
            job.onLine(host, text);
          },
        },
        stop,
      ),
  };
  return job;
}

/** What a host printed. */
export function printed({ lines }: StandInJob, host = 'algo-1'): readonly string[] {
  return lines
    .filter(([from, text]) => from === host && !text.startsWith('Invoking script'))
    .map(([, text]) => text);
}
