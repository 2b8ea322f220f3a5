import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { extract } from 'tar-stream';
import { PREDICT_FUNCTION } from './build-functions.ts';
import { copyFolder } from './copy-folder.ts';
import { cacheFolder, installPart, lockedPackage, npm } from './parts.mjs';
import { addPythonPart } from './python-part.ts';
import { zipFolder } from './zip-folder.ts';

/** Where functions run. */
export interface Target {
  readonly platform: string;
  readonly arch: string;
}

/** `provider.architecture` of serverless.yml. */
export const LAMBDA: Target = { platform: 'linux', arch: 'arm64' };

const RUNTIME = 'onnxruntime-node';
const COMMON = 'onnxruntime-common';

/** Lambda's limit on the code of a function, unzipped. */
const MAX_BYTES = 250 * 2 ** 20;

/**
 * Adds ONNX Runtime for a target, and Pyodide, to the code of the function that runs models, and zips it: the package has the
 * libraries of all platforms, and this machine keeps only its own. Installs the part if it is missing.
 *
 * @param code folder with a folder of each function's code, as `buildFunctions` has written it
 * @param zips folder that the zip is written into
 * @throws {Error} for more code than Lambda takes
 */
export async function addNativePart(root: string, code: string, target: Target, zips = code): Promise<void> {
  const installed = folderOf(RUNTIME, installPart('onnxruntime', root));
  const modules = path.join(code, PREDICT_FUNCTION, 'node_modules');
  await copyFolder(
    await binariesFor(root, installed, target),
    path.join(modules, RUNTIME, binariesOf(target)),
  );
  // npm puts what a package needs next to it.
  for (const [name, built] of [
    [RUNTIME, 'dist'],
    [COMMON, path.join('dist', 'cjs')],
  ] as const) {
    const from = path.join(path.dirname(installed), name);
    await cp(path.join(from, 'package.json'), path.join(modules, name, 'package.json'));
    await copyFolder(
      path.join(from, built),
      path.join(modules, name, built),
      (file) => !/\.(?:map|ts)$/.test(file),
    );
  }
  await addPythonPart(path.join(code, PREDICT_FUNCTION));
  const bytes = await sizeOf(path.join(code, PREDICT_FUNCTION));
  if (bytes > MAX_BYTES)
    throw new Error(
      `the code of ${PREDICT_FUNCTION} must have at most ${MAX_BYTES} bytes unzipped, has ${bytes}`,
    );
  // On its way to AWS a third of it is worth some seconds; on this machine it is not.
  const isFar = target.platform !== process.platform || target.arch !== process.arch;
  await zipFolder(path.join(code, PREDICT_FUNCTION), path.join(zips, `${PREDICT_FUNCTION}.zip`), isFar);
}

/** Folder of a package that Node finds from a file. */
function folderOf(name: string, file: string): string {
  return path.dirname(createRequire(file).resolve(`${name}/package.json`));
}

async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const found = await Promise.all(files.map(({ parentPath, name }) => stat(path.join(parentPath, name))));
  return found.reduce((sum, { size }) => sum + size, 0);
}

function binariesOf({ platform, arch }: Target): string {
  return path.join('bin', 'napi-v6', platform, arch);
}

/** Folder with the libraries for a target: of the installed package, or of one that npm fetches once. */
async function binariesFor(root: string, installed: string, target: Target): Promise<string> {
  const below = binariesOf(target);
  const own = path.join(installed, below);
  if (existsSync(own)) return own;
  const { version, integrity } = lockedPackage('onnxruntime', root);
  const kept = path.join(cacheFolder(), 'parts', `${RUNTIME}-${version}-${target.platform}-${target.arch}`);
  if (existsSync(kept)) return kept;
  await mkdir(path.dirname(kept), { recursive: true, mode: 0o700 });
  const folder = await mkdtemp(`${kept}-`);
  try {
    const archive = await fetchPackage(`${RUNTIME}@${version}`, integrity, folder);
    const unpacked = path.join(folder, 'unpacked');
    await unpack(archive, `package/${below.split(path.sep).join('/')}/`, unpacked);
    if (!existsSync(unpacked) || (await readdir(unpacked)).length === 0)
      throw new Error(`${RUNTIME} ${version} has no library for ${target.platform} on ${target.arch}`);
    // Another process may have been faster: what it has fetched is the same.
    if (!existsSync(kept)) await rename(unpacked, kept);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return kept;
}

/** Downloads a package as npm does, and compares it with the digest of the lockfile. */
async function fetchPackage(name: string, integrity: string, folder: string): Promise<string> {
  process.stderr.write(`Fetching ${name} for Lambda (once)…\n`);
  // npm writes it into the current folder: no path is among the arguments, which a shell of Windows would split at a space.
  const { command, args, shell } = npm('pack', name, '--ignore-scripts', '--loglevel=error');
  const { status, error } = spawnSync(command, args, {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell,
  });
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
