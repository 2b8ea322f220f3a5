import { createHash } from 'node:crypto';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { buildFunctions } from './build-functions.ts';

/** What `serverless deploy` would send to CloudFormation, made offline. */
export interface Package {
  /** The stack's first template: the bucket that the bundles go to. */
  readonly bucketTemplate: string;
  readonly template: string;
  /** Folder with one `<function>.zip` for each function. */
  readonly bundles: string;
}

/** What the packaged application is made from. */
const SOURCES = [
  'functions',
  'src',
  'infra',
  'statemachines',
  'serverless.yml',
  'package-lock.json',
  'scripts/build-functions.ts',
  'scripts/pure-schemas.ts',
];

/**
 * Bundles the functions and packages `serverless.yml` for `stage` with no network and no account.
 * Reuses the last package if nothing that goes into it has changed.
 *
 * @throws {Error} with the packager's own output if it refuses the configuration
 */
export async function packageApplication(root: string, stage: string): Promise<Package> {
  const folder = path.join(root, 'build', 'package', stage);
  const fingerprintFile = path.join(folder, 'fingerprint');
  const fingerprint = await fingerprintOf(root, stage);
  const isCurrent = existsSync(fingerprintFile) && (await readFile(fingerprintFile, 'utf8')) === fingerprint;
  if (!isCurrent) {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    await buildFunctions(root);
    await runServerless(root, ['package', '--stage', stage, '--package', path.join(folder, 'serverless')]);
    await cp(path.join(root, 'build', 'functions'), path.join(folder, 'bundles'), {
      recursive: true,
      filter: (file) => !file.includes(`${path.sep}index.`) || file.endsWith('.zip'),
    });
    await writeFile(fingerprintFile, fingerprint);
  }
  const read = (name: string): Promise<string> => readFile(path.join(folder, 'serverless', name), 'utf8');
  return {
    bucketTemplate: await read('cloudformation-template-create-stack.json'),
    template: await read('cloudformation-template-update-stack.json'),
    bundles: path.join(folder, 'bundles'),
  };
}

function runServerless(root: string, args: readonly string[]): Promise<void> {
  const cli = path.join(root, 'node_modules', 'serverless', 'bin', 'serverless.js');
  const child = spawn(process.execPath, [cli, ...args], {
    cwd: root,
    env: { ...process.env, SLS_TRACKING_DISABLED: '1', SLS_NOTIFICATIONS_MODE: 'off', NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => output.push(chunk));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) =>
      code === 0
        ? resolve()
        : reject(
            new Error(
              `serverless ${args[0]} ended with exit code ${code}:\n${Buffer.concat(output).toString()}`,
            ),
          ),
    );
  });
}

async function fingerprintOf(root: string, stage: string): Promise<string> {
  const hash = createHash('sha256').update(`${stage}\0`);
  for (const source of SOURCES) {
    for (const file of await filesOf(path.join(root, source))) {
      hash
        .update(`${path.relative(root, file)}\0`)
        .update(await readFile(file))
        .update('\0');
    }
  }
  return hash.digest('hex');
}

async function filesOf(source: string): Promise<readonly string[]> {
  if (path.extname(source) !== '') return [source];
  const entries = await readdir(source, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();
}
