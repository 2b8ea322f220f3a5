/**
 * `npm run test:clients`: boto3, the AWS CLI and the SageMaker Python SDK, as published on PyPI, against the stack on this
 * machine. Arguments after `--` go to pytest: `npm run test:clients -- -k manifest`. With `--frameworks` as the first (`npm run lab --
 * notebooks`), only what trains in PyTorch and TensorFlow runs, which are installed first.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createWriteStream, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { pythonEnvironment } from '../../../../lab/python-environment.ts';

const root = path.resolve(import.meta.dirname, '..', '..', '..', '..');
const tests = import.meta.dirname;
const stackLog = path.join(root, 'build', 'test-clients-stack.log');

const [first, ...others] = process.argv.slice(2);
const withFrameworks = first === '--frameworks';
const toPytest = withFrameworks ? ['-m', 'frameworks', ...others] : process.argv.slice(2);
const inferdrop = path.join(root, 'bin', 'inferdrop.mjs');
// PyTorch, if it was installed for the tests in Python, or by the caller: without it, its test is skipped.
const cache = { INFERDROP_CACHE: path.join(root, '.venv', 'inferdrop'), ...process.env };

if (withFrameworks) for (const name of ['pytorch', 'tensorflow']) install(name);
const bin = pythonEnvironment('../packages/laptop/lab/clients');
const work = mkdtempSync(path.join(tmpdir(), 'inferdrop-clients-'));
const stack = await startStack();
try {
  process.exitCode = await ended(startPytest(stack.endpoint));
  if (process.exitCode !== 0)
    process.stderr.write(`The log of the stack is in ${path.relative(root, stackLog)}\n`);
} finally {
  stack.child.kill('SIGTERM');
  await ended(stack.child);
  rmSync(work, { recursive: true, force: true });
}

function install(name: string): void {
  const { status } = spawnSync(process.execPath, [inferdrop, 'containers', 'install', name], {
    stdio: 'inherit',
    env: cache,
  });
  if (status !== 0) process.exit(status ?? 1);
}

/** Scripts of the clients' tests need no framework: the clients' own Python, with numpy, stands for both. */
function clientsPython(): string[] {
  return ['pytorch', 'tensorflow'].flatMap((name) => [
    '--training-python',
    `${name}=${path.join(bin, 'python')}`,
  ]);
}

/** Starts the stack as a user does, and reads its address from its output. */
function startStack(): Promise<{ readonly child: ChildProcess; readonly endpoint: string }> {
  mkdirSync(path.dirname(stackLog), { recursive: true });
  const log = createWriteStream(stackLog);
  const child = spawn(
    process.execPath,
    [
      inferdrop,
      'up',
      '--port',
      '0',
      '--open-credentials',
      '--data',
      path.join(work, 'data'),
      ...(withFrameworks ? ['--any-framework-version'] : clientsPython()),
    ],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: cache,
    },
  );
  child.stderr.pipe(log, { end: false });
  return new Promise((resolve, reject) => {
    child.once('exit', (code) =>
      reject(new Error(`the stack ended with exit code ${code}: see ${stackLog}`)),
    );
    createInterface({ input: child.stdout }).on('line', (line) => {
      log.write(`${line}\n`);
      const endpoint = /AWS_ENDPOINT_URL=(\S+)/.exec(line)?.[1];
      if (endpoint !== undefined) resolve({ child, endpoint });
    });
  });
}

/** The clients get an address, credentials and a region; the user's own settings do not reach them. */
function startPytest(endpoint: string): ChildProcess {
  const home = path.join(work, 'home');
  mkdirSync(home);
  return spawn(path.join(bin, 'python'), ['-m', 'pytest', tests, ...toPytest], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      PATH: [bin, process.env['PATH']].join(path.delimiter),
      HOME: home,
      PYTHONDONTWRITEBYTECODE: '1',
      AWS_ENDPOINT_URL: endpoint,
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
      AWS_DEFAULT_REGION: 'us-east-1',
      SAGEMAKER_USER_CONFIG_OVERRIDE: path.join(tests, 'sagemaker-config.yaml'),
    },
  });
}

function ended(child: ChildProcess): Promise<number> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode ?? 1);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}
