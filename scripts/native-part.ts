import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { extract } from 'tar-stream';
import { npm } from './parts.mjs';
import { zipFolder } from './zip-folder.ts';

/** Where functions run. */
export interface Target {
  readonly platform: string;
  readonly arch: string;
}

/** `provider.architecture` of serverless.yml. */
export const LAMBDA: Target = { platform: 'linux', arch: 'arm64' };

/** The function that runs models. */
const FUNCTION = 'predict-shard';
const RUNTIME = 'onnxruntime-node';
const COMMON = 'onnxruntime-common';

/**
 * Adds ONNX Runtime for a target to the bundle of the function that runs models, and zips it again: the package has the libraries of all
 * platforms, of which this machine keeps its own.
 *
 * @param bundles folder that `buildFunctions` has written
 */
export async function addNativePart(root: string, bundles: string, target: Target): Promise<void> {
  const installed = path.join(root, 'packages', 'savedmodel', 'engine', 'node_modules');
  const modules = path.join(bundles, FUNCTION, 'node_modules');
  const binaries = await binariesFor(root, installed, target);
  const native = path.join('bin', 'napi-v6', target.platform, target.arch);
  await cp(binaries, path.join(modules, RUNTIME, native), { recursive: true });
  for (const [name, code] of [
    [RUNTIME, 'dist'],
    [COMMON, path.join('dist', 'cjs')],
  ] as const) {
    await cp(path.join(installed, name, 'package.json'), path.join(modules, name, 'package.json'));
    await cp(path.join(installed, name, code), path.join(modules, name, code), {
      recursive: true,
      filter: (file) => !/\.(?:map|ts)$/.test(file),
    });
  }
  // On its way to AWS a third of it is worth some seconds; on this machine it is not.
  const isFar = target.platform !== process.platform || target.arch !== process.arch;
  await zipFolder(path.join(bundles, FUNCTION), path.join(bundles, `${FUNCTION}.zip`), isFar);
}

/** Folder with the libraries for a target: of the installed package, or of one that npm fetches once. */
async function binariesFor(root: string, installed: string, { platform, arch }: Target): Promise<string> {
  const below = path.join('bin', 'napi-v6', platform, arch);
  const own = path.join(installed, RUNTIME, below);
  if (existsSync(own)) return own;
  const { version, integrity } = await locked(root);
  const kept = path.join(root, 'build', 'parts', `${RUNTIME}-${version}-${platform}-${arch}`);
  if (existsSync(kept)) return kept;
  await mkdir(path.dirname(kept), { recursive: true });
  const folder = await mkdtemp(`${kept}-`);
  try {
    const archive = await fetchPackage(`${RUNTIME}@${version}`, integrity, folder);
    const unpacked = path.join(folder, 'unpacked');
    await unpack(archive, `package/${below.split(path.sep).join('/')}/`, unpacked);
    if (!existsSync(unpacked) || (await readdir(unpacked)).length === 0)
      throw new Error(`${RUNTIME} ${version} has no library for ${platform} on ${arch}`);
    await rename(unpacked, kept);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return kept;
}

async function locked(root: string): Promise<{ readonly version: string; readonly integrity: string }> {
  const file = path.join(root, 'packages', 'savedmodel', 'engine', 'package-lock.json');
  const { packages } = JSON.parse(await readFile(file, 'utf8'));
  return packages[`node_modules/${RUNTIME}`];
}

/** Downloads a package as npm does, and compares it with the digest of the lockfile. */
async function fetchPackage(name: string, integrity: string, folder: string): Promise<string> {
  process.stderr.write(`Fetching ${name} for Lambda (once)…\n`);
  const { command, args, shell } = npm(
    'pack',
    name,
    '--pack-destination',
    folder,
    '--ignore-scripts',
    '--loglevel=error',
  );
  const { status, error } = spawnSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'], shell });
  if (error !== undefined) throw new Error(`npm could not be started: ${error.message}`);
  if (status !== 0) throw new Error(`npm could not fetch ${name} (exit code ${status}); the reason is above`);
  const [file = ''] = await readdir(folder);
  const archive = path.join(folder, file);
  const found = `sha512-${createHash('sha512')
    .update(await readFile(archive))
    .digest('base64')}`;
  if (found !== integrity)
    throw new Error(`${name} must have the digest ${integrity} (package-lock.json), has ${found}`);
  return archive;
}

/** Unpacks the files below a folder of an archive. */
async function unpack(archive: string, below: string, target: string): Promise<void> {
  const entries = extract();
  const fed = pipeline(createReadStream(archive), createGunzip(), entries);
  await mkdir(target, { recursive: true });
  for await (const entry of entries) {
    const name = entry.header.name.startsWith(below) ? entry.header.name.slice(below.length) : '';
    if (entry.header.type !== 'file' || !/^[\w.-]+$/.test(name)) entry.resume();
    else await pipeline(entry, createWriteStream(path.join(target, name)));
  }
  await fed;
}
