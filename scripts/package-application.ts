import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { lockWhenFree } from '../src/cli/laptop/data-folder.ts';
import { BILL_OF_MATERIALS } from './bill-of-materials-name.ts';
import { buildFunctions } from './build-functions.ts';
import { addNativePart } from './native-part.ts';

/** The input of `serverless deploy` to CloudFormation, made offline. */
export interface Package {
  /** The stack's first template: the bucket that the bundles go to. */
  readonly bucketTemplate: string;
  readonly template: string;
  /** Folder with one `<function>.zip` for each function, and the bill of materials. */
  readonly bundles: string;
  /** The packages of the bundles, as CycloneDX. */
  readonly billOfMaterials: string;
}

const SOURCES = [
  'functions',
  'src',
  'infra',
  'statemachines',
  'docs/openapi.json',
  'serverless.yml',
  'package.json',
  'package-lock.json',
  'scripts',
  // Functions are bundled with the parts of these that they use.
  'packages/image',
  'packages/savedmodel',
  'packages/model-container',
  'packages/table',
];
const FINGERPRINT = 'fingerprint';
const BUNDLES = 'bundles';

/**
 * Bundles the functions for this machine and packages `serverless.yml` for `stage` with no network and no account.
 * Reuses the last package if none of its sources has changed.
 *
 * @throws {Error} with the packager's own output if it refuses the configuration
 */
export async function packageApplication(root: string, stage: string): Promise<Package> {
  const folder = path.join(root, 'build', 'package', stage);
  const fingerprint = await fingerprintOf(root, stage);
  const isMade = async (): Promise<boolean> => (await readFingerprint(folder)) === fingerprint;
  if (!(await isMade())) {
    // Serverless works in one folder of the checkout, so that a process which comes meanwhile waits, and finds the package.
    const giveBack = await lockWhenFree(path.join(root, 'build', 'packaging'));
    try {
      if (!(await isMade())) await makePackage(root, stage, folder, fingerprint);
    } finally {
      await giveBack();
    }
  }
  const read = (...names: string[]): Promise<string> => readFile(path.join(folder, ...names), 'utf8');
  return {
    bucketTemplate: await read('serverless', 'cloudformation-template-create-stack.json'),
    template: await read('serverless', 'cloudformation-template-update-stack.json'),
    billOfMaterials: await read(BUNDLES, BILL_OF_MATERIALS),
    bundles: path.join(folder, BUNDLES),
  };
}

/** Built in a temporary folder and renamed: another process may be reading the package. */
async function makePackage(root: string, stage: string, folder: string, fingerprint: string): Promise<void> {
  await mkdir(path.dirname(folder), { recursive: true });
  const aside = await mkdtemp(`${folder}-`);
  try {
    const bundles = path.relative(root, path.join(aside, BUNDLES));
    await buildFunctions(root, bundles);
    await addNativePart(root, path.join(aside, BUNDLES), process);
    const out = path.join(aside, 'serverless');
    await runScript(
      root,
      [
        path.join('node_modules', 'serverless', 'bin', 'serverless.js'),
        ...['package', '--stage', stage, '--package', out],
      ],
      { INFERDROP_BUNDLES: bundles },
    );
    await writeFile(path.join(aside, FINGERPRINT), fingerprint);
    await rm(folder, { recursive: true, force: true });
    await rename(aside, folder);
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}

async function readFingerprint(folder: string): Promise<string | undefined> {
  const file = path.join(folder, FINGERPRINT);
  return existsSync(file) ? readFile(file, 'utf8') : undefined;
}

function runScript(
  root: string,
  [script = '', ...args]: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  const child = spawn(process.execPath, [script, ...args], {
    cwd: root,
    env: { ...process.env, NO_COLOR: '1', ...env },
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
        : reject(new Error(`${script} ended with exit code ${code}:\n${Buffer.concat(output).toString()}`)),
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
    .filter((file) => !/[\\/](?:node_modules|test)[\\/]/.test(file))
    .sort();
}
