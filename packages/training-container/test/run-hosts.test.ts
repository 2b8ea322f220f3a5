import { fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isRunning } from './is-running.ts';
import { printed, type StandInJob, standInJob } from './stand-in.ts';

const TWO = { hostCount: 2 } as const;

test('each host runs the script in its own /opt/ml, with the arguments and variables of the container', async () => {
  const job = await standInJob(
    {
      'train.py': `
        const { SM_CURRENT_HOST, SM_HOSTS, SM_MODEL_DIR, MASTER_ADDR, MASTER_PORT, TRAINING_JOB_NAME } = process.env;
        require('node:fs').writeFileSync(SM_MODEL_DIR + '/model.pth', SM_CURRENT_HOST);
        console.log(JSON.stringify([SM_HOSTS, MASTER_ADDR, MASTER_PORT, TRAINING_JOB_NAME, process.argv.slice(2)]));`,
    },
    { ...TWO, hyperparameters: { epochs: '6', model_dir: '"/opt/ml/model"' } },
  );
  const end = await job.run();
  expect(end).toEqual({ exitCodes: { 'algo-1': 0, 'algo-2': 0 } });
  for (const { host, model } of job.folders) {
    expect(await readFile(join(model, 'model.pth'), 'utf8')).toBe(host);
    const [line = ''] = printed(job, host);
    expect(JSON.parse(line)).toEqual([
      '["algo-1","algo-2"]',
      'algo-1',
      '7777',
      'mnist-1',
      ['--epochs', '6', '--model_dir', model],
    ]);
  }
});

test('exit codes are in the order of the hosts, whichever is the first to exit', async () => {
  const source = `if (process.env.SM_CURRENT_HOST === 'algo-2') process.exit(3); setInterval(() => {}, 1000);`;
  const { exitCodes } = await (await standInJob({ 'train.py': source }, TWO)).run();
  expect(Object.keys(exitCodes)).toEqual(['algo-1', 'algo-2']);
});

test('a script is given no variable of the shell beside paths, language and certificates', async () => {
  process.env['SECRET_OF_THE_SHELL'] = 'secret';
  const job = await standInJob({ 'train.py': `console.log(Object.keys(process.env).join(' '))` });
  await job.run();
  delete process.env['SECRET_OF_THE_SHELL'];
  expect(printed(job)[0]).toContain('SM_HOSTS');
  expect(printed(job)[0]).not.toContain('SECRET_OF_THE_SHELL');
  expect(printed(job)[0]).not.toContain('NODE_CHANNEL_FD');
});

test.each([
  ['two hosts share the cores', 2, {}, String(Math.max(1, Math.floor(availableParallelism() / 2)))],
  ['one host has them all', 1, {}, 'undefined'],
  ['what the job’s environment says holds', 2, { OMP_NUM_THREADS: '7' }, '7'],
])('%s', async (_, hostCount, environment, threads) => {
  const job = await standInJob(
    { 'train.py': `console.log(String(process.env.OMP_NUM_THREADS))` },
    { hostCount, environment },
  );
  await job.run();
  expect(printed(job)).toEqual([threads]);
});

test('a script that raises fails the job with the toolkit’s words', async () => {
  const job = await standInJob({
    'train.py': `console.log('epoch 1'); console.error('Traceback (most recent call last):');
      console.error('ValueError: no data'); console.error('  at the end'); process.exit(3)`,
  });
  const { exitCodes, failure } = await job.run();
  expect(exitCodes).toEqual({ 'algo-1': 3 });
  expect(failure).toEqual({
    host: 'algo-1',
    exitCode: 3,
    reason:
      `AlgorithmError: ExecuteUserScriptError:\nExitCode 3\nErrorMessage "ValueError: no data\n at the end"\nCommand ` +
      `"${job.request.root}/environment/bin/python -- train.py", exit code: 1`,
  });
});

test('the host that failed first names the reason, and the others are stopped', async () => {
  const job = await standInJob(
    {
      'train.py': `
        if (process.env.SM_CURRENT_HOST === 'algo-2') { console.error('KeyError: algo-2'); process.exit(1); }
        process.on('SIGTERM', () => { console.error('RuntimeError: stopped'); process.exit(9); });
        setInterval(() => {}, 1000);`,
    },
    TWO,
  );
  const { exitCodes, failure } = await job.run();
  expect(failure?.host).toBe('algo-2');
  expect(failure?.reason).toContain('ErrorMessage "KeyError: algo-2"');
  // SIGTERM may come before the script has its handler, and SIGKILL before a slow machine has run it.
  expect([9, 137, 143]).toContain(exitCodes['algo-1']);
});

test('output/failure comes before what the script printed', async () => {
  const job = await standInJob({
    'train.py':
      `require('node:fs').writeFileSync(process.env.SM_OUTPUT_DIR + '/failure', 'the data has ' + 'x'.repeat(2000)); ` +
      'process.exit(1)',
  });
  const { failure } = await job.run();
  expect(failure?.reason).toHaveLength(1024);
  expect(failure?.reason).toMatch(/^AlgorithmError: the data has x+, exit code: 1$/);
});

test('a stop is SIGTERM to the scripts: what they save counts, and no failure is reported', async () => {
  const stop = new AbortController();
  const job = await standInJob(
    {
      'train.py': `
        process.on('SIGTERM', () => { require('node:fs').writeFileSync(process.env.SM_MODEL_DIR + '/saved', ''); process.exit(1); });
        console.log('ready'); setInterval(() => {}, 1000);`,
    },
    TWO,
  );
  let ready = 0;
  job.onLine = (_host, text) => void (text === 'ready' && ++ready === 2 && stop.abort());
  expect(await job.run(stop.signal)).toEqual({ exitCodes: { 'algo-1': 1, 'algo-2': 1 } });
  expect(job.folders.map(({ model }) => existsSync(join(model, 'saved')))).toEqual([true, true]);
});

test('what ignores SIGTERM is killed after the grace, with everything that it started', async () => {
  const stop = new AbortController();
  const job = await standInJob(
    {
      'train.py': `
        process.on('SIGTERM', () => console.log('ignored'));
        const child = require('node:child_process').spawn('sleep', ['600'], { stdio: 'inherit' });
        console.log('child ' + child.pid); setInterval(() => {}, 1000);`,
    },
    { graceMs: 200 },
  );
  let child = 0;
  job.onLine = (_host, text) => {
    if (!text.startsWith('child ')) return;
    child = Number(text.slice(6));
    stop.abort();
  };
  expect(await job.run(stop.signal)).toEqual({ exitCodes: { 'algo-1': 137 } });
  await expect.poll(() => isRunning(child)).toBe(false);
});

test('what a script leaves running ends with it', async () => {
  const job = await standInJob({
    'train.py': `const child = require('node:child_process').spawn('sleep', ['600'], { stdio: 'ignore' }); child.unref();
      console.log(child.pid); process.exit(0)`,
  });
  expect(await job.run()).toEqual({ exitCodes: { 'algo-1': 0 } });
  await expect.poll(() => isRunning(Number(printed(job)[0]))).toBe(false);
});

test('a shell script is a command, its arguments quoted', async () => {
  const job = await standInJob(
    { 'run.sh': '#!/bin/sh\necho "$# $2 in $SAGEMAKER_BASE_DIR"\nexit 0\n' },
    { hyperparameters: { sagemaker_program: '"run.sh"', name: "it's; exit 1" } },
  );
  expect(await job.run()).toEqual({ exitCodes: { 'algo-1': 0 } });
  expect(printed(job)).toEqual([`2 it's; exit 1 in ${job.folders[0]?.optMl}`]);
});

test('requirements.txt is installed first, into an environment on top; jobs with the same share it', async () => {
  const source = { 'train.py': `console.log('trained')`, 'requirements.txt': 'tqdm' };
  const job = await standInJob(source);
  expect(await job.run()).toEqual({ exitCodes: { 'algo-1': 0 } });
  expect(printed(job)).toEqual([
    'Installing dependencies from requirements.txt',
    'Collecting tqdm',
    'trained',
  ]);
  expect(await readdir(job.request.environmentsDir)).toHaveLength(1);
  expect(await readFile(join(job.request.root, 'environment', 'PATH'), 'utf8')).toMatch(
    new RegExp(`^${job.request.root}/environment/bin:`),
  );
});

test('pip that fails ends the job as the toolkit tells it', async () => {
  const job = await standInJob(
    { 'train.py': `console.log('trained')`, 'requirements.txt': 'no-such-package' },
    TWO,
  );
  const { exitCodes, failure } = await job.run();
  expect(exitCodes).toEqual({ 'algo-1': 1, 'algo-2': 1 });
  expect(failure?.reason).toMatch(
    /^AlgorithmError: InstallRequirementsError:\nExitCode 1\nErrorMessage ".*No matching distribution/,
  );
  expect(printed(job)).not.toContain('trained');
});

test('Gloo that aborts because a peer has gone is a success to PyTorch’s container', async () => {
  const source = {
    'train.py':
      'console.error("RuntimeError"); console.error("terminate called after throwing an instance of ' +
      `'gloo::EnforceNotMet'"); process.kill(process.pid, 'SIGABRT')`,
  };
  expect(await (await standInJob(source)).run()).toEqual({ exitCodes: { 'algo-1': 0 } });
  const tensorflow = await (await standInJob(source, { framework: 'tensorflow' })).run();
  expect(tensorflow.failure?.reason).toContain('ExitCode -6');
});

test('configuration files are as SageMaker writes them', async () => {
  const job = await standInJob(
    { 'train.py': '' },
    {
      ...TWO,
      channels: [
        {
          name: 'train',
          inputMode: 'File',
          distribution: 'ShardedByS3Key',
          recordWrapper: 'None',
          contentType: 'text/csv',
        },
      ],
    },
  );
  const read = async (name: string): Promise<unknown> =>
    JSON.parse(await readFile(join(job.folders[1]?.optMl ?? '', 'input/config', `${name}.json`), 'utf8'));
  expect(await read('hyperparameters')).toEqual({ sagemaker_program: '"train.py"' });
  expect(await read('inputdataconfig')).toEqual({
    train: {
      TrainingInputMode: 'File',
      S3DistributionType: 'ShardedByS3Key',
      RecordWrapperType: 'None',
      ContentType: 'text/csv',
    },
  });
  expect(await read('resourceconfig')).toMatchObject({
    current_host: 'algo-2',
    current_instance_type: 'ml.m5.xlarge',
    current_group_name: 'homogeneousCluster',
    hosts: ['algo-1', 'algo-2'],
  });
});

test('a stop before the start starts nothing', async () => {
  const job = await standInJob({ 'train.py': `console.log('started')` });
  expect(await job.run(AbortSignal.abort())).toEqual({ exitCodes: {} });
  expect(job.lines).toEqual([]);
});

test('nothing of a job is left where the program that started it is killed', async () => {
  const job = await standInJob({
    'train.py': `const child = require('node:child_process').spawn('sleep', ['600'], { stdio: 'ignore' });
      console.log('pids ' + process.pid + ' ' + child.pid); setInterval(() => {}, 1000);`,
  });
  const program = fork(new URL('./run-alone.ts', import.meta.url), { execArgv: [], stdio: 'ignore' });
  const pids = await new Promise<readonly number[]>((resolve) => {
    program.on('message', (line: string) => {
      if (line.startsWith('pids ')) resolve(line.slice(5).split(' ').map(Number));
    });
    program.send({ request: job.request, folders: job.folders });
  });
  expect(pids.map(isRunning)).toEqual([true, true]);
  program.kill('SIGKILL');
  await expect.poll(() => pids.map(isRunning)).toEqual([false, false]);
});

test('a command of the job’s own runs in place of the toolkit, with /opt/ml in its words mapped', async () => {
  const job = await standInJob(
    {},
    {
      ...TWO,
      hyperparameters: { sagemaker_program: '""', sagemaker_mpi_enabled: 'true', mp_parameters: '{"a": 1}' },
      command: [
        '/bin/sh',
        '-c',
        'echo "$CURRENT_HOST" > /opt/ml/model/"$1"; echo "$TRAINING_JOB_NAME [$SM_HOSTS$MASTER_ADDR]"; command -v python',
        'sh',
        'model.pth',
      ],
    },
  );
  expect(await job.run()).toEqual({ exitCodes: { 'algo-1': 0, 'algo-2': 0 } });
  for (const { host, model } of job.folders) {
    expect(await readFile(join(model, 'model.pth'), 'utf8')).toBe(`${host}\n`);
    expect(printed(job, host)).toEqual(['mnist-1 []', `${job.request.root}/environment/bin/python`]);
  }
});

test('a command of the job’s own fails with its exit code, or with what it wrote', async () => {
  const plain = await standInJob({}, { command: ['/bin/sh', '-c', 'echo ValueError: x; exit 7'] });
  expect((await plain.run()).failure?.reason).toBe('AlgorithmError: Exit Code: 7');
  const told = await standInJob(
    {},
    { command: ['/bin/sh', '-c', 'echo out of data > /opt/ml/output/failure; exit 7'] },
  );
  expect((await told.run()).failure?.reason).toBe('AlgorithmError: out of data\n, exit code: 1');
  const absent = await standInJob({}, { command: ['no-such-program'] });
  expect((await absent.run()).failure?.reason).toBe('AlgorithmError: Exit Code: 127');
});

describe('scripts of channels that a command of the job’s own names', () => {
  const COMMAND = ['/bin/sh', '/opt/ml/input/data/drivers/train.sh'];

  async function fill(job: StandInJob, files: Readonly<Record<string, string | Buffer>>): Promise<void> {
    for (const { data } of job.folders)
      for (const [name, text] of Object.entries(files)) {
        await mkdir(dirname(join(data, name)), { recursive: true });
        await writeFile(join(data, name), text);
      }
  }

  test('find the host’s folder at /opt/ml, as do those that they name in turn, and no other files', async () => {
    const job = await standInJob({}, { ...TWO, command: COMMAND });
    const latin1 = Buffer.from([...Buffer.from('# '), 0xe9, ...Buffer.from('\nMODEL = "/opt/ml/model"\n')]);
    const untouched = { 'code/notes.txt': '/opt/ml/model', 'train/left.sh': 'ls /opt/ml' };
    await fill(job, {
      'drivers/train.sh': 'cd /opt/ml/input/data/code\n. ./steps.sh /opt/mlops\n',
      'code/steps.sh': 'echo "$CURRENT_HOST" > "/opt/ml/model/host"; cat model.py\n',
      'code/model.py': latin1,
      ...untouched,
    });
    expect(await job.run()).toEqual({ exitCodes: { 'algo-1': 0, 'algo-2': 0 } });
    for (const { host, data, model, optMl } of job.folders) {
      expect(await readFile(join(model, 'host'), 'utf8')).toBe(`${host}\n`);
      expect(printed(job, host)[0]).toBe(
        `/opt/ml is ${optMl} here, also in drivers/train.sh, code/model.py, code/steps.sh`,
      );
      const python = await readFile(join(data, 'code', 'model.py'), 'latin1');
      expect(python).toBe(latin1.toString('latin1').replace('/opt/ml', optMl));
      expect(await readFile(join(data, 'drivers', 'train.sh'), 'utf8')).toContain(' /opt/mlops\n');
      for (const [name, text] of Object.entries(untouched))
        expect(await readFile(join(data, name), 'utf8')).toBe(text);
    }
  });

  test('are refused where a shell would take the host’s folder for two words', async () => {
    const root = await mkdtemp(join(tmpdir(), 'inferdrop-my data '));
    const job = await standInJob({}, { command: COMMAND, root });
    await fill(job, { 'drivers/train.sh': 'cd /opt/ml/code\n' });
    await expect(job.run()).rejects.toThrow(
      /^channel script drivers\/train\.sh names \/opt\/ml, which is ".*my data .*" here, .*: start the stack with --data at a path without spaces/,
    );
  });

  test('are refused before the MPI driver of the SDK’s version 3 would write to /etc and start sshd', async () => {
    const SM_TRAIN = '/opt/ml/input/data/sm_drivers/sm_train.sh';
    const job = await standInJob({}, { command: ['/bin/sh', '-c', SM_TRAIN] });
    const driver = '/opt/ml/input/data/sm_drivers/distributed_drivers/mpi_driver.py';
    await fill(job, { 'sm_drivers/sm_train.sh': `$SM_PYTHON_CMD ${driver}\n` });
    await expect(job.run()).rejects.toThrow(
      /^channel sm_drivers: MPI\(\) of ModelTrainer .*: use Torchrun\(\), or version 2 of the SDK/,
    );
  });
});
