// Parts of inferdrop that npm installs separately, with a lockfile of their own, because they're large or only some users need them.
// A checkout has them next to their lockfiles; the installed package, which may be another user's folder, has them in the user's cache.
import { Buffer } from 'node:buffer';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { installAlone } from './install-lock.mjs';
import { isInstalled } from './installed-tree.mjs';
import { binaryOf, NODE_BINARIES, verifyBinary } from './node-binaries.mjs';

// Like bootstrap.mjs, this file only uses features of Node 14.13.

/**
 * The parts. `checkout` is the folder of the lockfile in a checkout, `alias` the name that its packages ask for, `prune` deletes what this
 * machine does not need of a folder that is inferdrop's own.
 */
export const PARTS = {
  onnxruntime: {
    package: 'onnxruntime-node',
    does: 'runs models on this machine',
    size: '110 MB to download, up to 86 MB kept',
    checkout: 'packages/savedmodel/engine',
    prune: keepOwnPlatform,
  },
  node: {
    package: 'Node 24',
    does: 'runs inferdrop where Node is older than 22.15',
    size: '50 MB to download, 120 MB kept',
    checkout: 'scripts/node',
    prune: keepBinary,
  },
  osls: {
    package: 'osls',
    alias: 'serverless',
    does: 'deploys to AWS, and removes what it has deployed',
    size: '20 MB to download, 96 MB kept',
    checkout: '.',
    prune: () => undefined,
  },
};

/** Folder for things that are slow to make, kept between runs: `INFERDROP_CACHE`, or the user's own cache folder. */
export function cacheFolder({ INFERDROP_CACHE: named, XDG_CACHE_HOME: xdg } = process.env) {
  return requireOwn(
    named ? path.resolve(named) : path.join(xdg || path.join(homedir(), '.cache'), 'inferdrop'),
  );
}

/** Refuses a folder where others may write, since programs that lie there are run as they are. */
function requireOwn(folder) {
  if (!process.getuid || !existsSync(folder)) return folder;
  const { uid, mode } = statSync(folder);
  if (uid === process.getuid() && (mode & 0o022) === 0) return folder;
  throw new Error(
    `${folder}: inferdrop runs programs from this folder, so it must be yours and nobody else may write there: chmod ` +
      '700, or name another one in INFERDROP_CACHE',
  );
}

/**
 * A file with a `node_modules` next to it where Node finds the part's packages; undefined if it isn't installed. The project of the
 * user comes first, if it has the package in the version of the lockfile.
 *
 * @param root folder of inferdrop
 */
export function findPart(name, root) {
  const { checkout } = PARTS[name];
  const beside = path.join(root, checkout, 'package.json');
  if (isCheckout(root)) return isThere(path.dirname(beside), name) ? beside : undefined;
  if (isInProject(name, root)) return path.join(root, 'package.json');
  const folder = cachedPlace(name, root);
  return existsSync(folder) ? path.join(folder, 'package.json') : undefined;
}

/**
 * Installs a part where it is missing.
 *
 * @returns what `findPart` returns then
 * @throws {Error} where npm cannot install it, with the remedy
 */
export function installPart(name, root, tell = (line) => process.stderr.write(`${line}\n`)) {
  const found = findPart(name, root);
  if (found !== undefined) return found;
  const { prune, size } = PARTS[name];
  if (isCheckout(root)) {
    const folder = path.join(root, PARTS[name].checkout);
    return installAlone(
      root,
      () => {
        const already = findPart(name, root);
        if (already !== undefined) return already;
        tell(`Installing ${titleOf(name, root)} (once; ${size})…`);
        npmInstalls(name, root, folder);
        prune(folder);
        return path.join(folder, 'package.json');
      },
      tell,
    );
  }
  const folder = cachedPlace(name, root);
  tell(`Installing ${titleOf(name, root)} into ${folder} (once; ${size})…`);
  mkdirSync(path.dirname(folder), { recursive: true, mode: 0o700 });
  const aside = mkdtempSync(`${folder}-`);
  try {
    cpSync(lockfiles(name, root), aside, { recursive: true });
    npmInstalls(name, root, aside);
    prune(aside);
    // Another process may have been faster: what it has installed is the same.
    if (!existsSync(folder)) renameSync(aside, folder);
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
  return path.join(folder, 'package.json');
}

/** The Node of the part, once its digest matches the pinned one; undefined if npm has no Node for this machine. */
export function partNode(root, tell) {
  const packaged = NODE_BINARIES[`${process.platform}-${process.arch}`];
  if (packaged === undefined) return undefined;
  const modules = path.join(path.dirname(installPart('node', root, tell)), 'node_modules');
  verifyBinary(modules, packaged);
  return binaryOf(modules, packaged);
}

/** The npm to start: the one that runs this script, or the one on the path. */
export function npm(...args) {
  const cli = process.env.npm_execpath;
  if (cli !== undefined && path.basename(cli) === 'npm-cli.js')
    return { command: process.execPath, args: [cli, ...args], shell: false };
  return { command: 'npm', args, shell: process.platform === 'win32' };
}

/** Name and version of a part. */
export function titleOf(name, root) {
  const version = lockedVersion(name, root);
  return version === undefined ? PARTS[name].package : `${PARTS[name].package} ${version}`;
}

function npmInstalls(name, root, folder) {
  // No path is among the arguments, which a shell of Windows would split at a space.
  const { command, args, shell } = npm(
    'ci',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  );
  const { status, error, stderr } = spawnSync(command, args, {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe'],
    shell,
  });
  if (!error && status === 0) return;
  if (process.env.INFERDROP_DEBUG !== undefined) process.stderr.write(stderr || '');
  const said = /^npm (?:error|ERR!) (?:code )?(.+)$/m.exec(stderr || '');
  const reason = error ? error.message : said ? said[1] : `exit code ${status}`;
  const own = isCheckout(root) ? '' : `, or add ${titleOf(name, root).replace(' ', '@')} to this project`;
  throw new Error(
    `npm could not install ${titleOf(name, root)} (${reason}): with a network, run the command again${own}. ` +
      `INFERDROP_DEBUG=1 shows npm's log`,
  );
}

/** Whether the program is a checkout: the package has its lockfiles elsewhere. */
function isCheckout(root) {
  return !existsSync(path.join(root, 'parts'));
}

function lockfiles(name, root) {
  return isCheckout(root) ? path.join(root, PARTS[name].checkout) : path.join(root, 'parts', name);
}

function readLock(name, root) {
  return JSON.parse(readFileSync(path.join(lockfiles(name, root), 'package-lock.json'), 'utf8'));
}

/** Entry of a part's own package in its lockfile, with `version` and `integrity`. */
export function lockedPackage(name, root) {
  const { package: asked, alias = asked } = PARTS[name];
  return readLock(name, root).packages[`node_modules/${alias}`];
}

function lockedVersion(name, root) {
  const entry = lockedPackage(name, root);
  return entry === undefined ? undefined : entry.version;
}

/** Whether a checkout has what the lockfile lists. */
function isThere(folder, name) {
  const record = path.join(folder, 'node_modules', '.package-lock.json');
  if (!existsSync(record)) return false;
  // It uses the checkout's lockfile, which bootstrap.mjs looks after.
  if (PARTS[name].checkout === '.') return existsSync(path.join(folder, 'node_modules', PARTS[name].alias));
  const read = (file) => JSON.parse(readFileSync(file, 'utf8'));
  return isInstalled(read(path.join(folder, 'package-lock.json')), read(record));
}

function isInProject(name, root) {
  const { package: asked, alias = asked } = PARTS[name];
  const wanted = lockedVersion(name, root);
  if (wanted === undefined) return false;
  try {
    const manifest = createRequire(pathToFileURL(path.join(root, 'package.json')))(`${alias}/package.json`);
    return manifest.version === wanted;
  } catch {
    return false;
  }
}

/** Another lockfile has another place, so that releases of inferdrop do not change each other's parts. */
function cachedPlace(name, root) {
  const lock = readFileSync(path.join(lockfiles(name, root), 'package-lock.json'));
  const digest = createHash('sha256').update(Buffer.from(lock)).digest('hex').slice(0, 8);
  return path.join(cacheFolder(), 'parts', `${name}-${digest}-${process.platform}-${process.arch}`);
}

/** The package of ONNX Runtime has 288 MB; one platform needs at most 86 of them. */
function keepOwnPlatform(folder) {
  const binaries = path.join(folder, 'node_modules', 'onnxruntime-node', 'bin', 'napi-v6');
  for (const platform of readdirSync(binaries))
    for (const arch of readdirSync(path.join(binaries, platform)))
      if (platform !== process.platform || arch !== process.arch)
        rmSync(path.join(binaries, platform, arch), { recursive: true });
}

function keepBinary(folder) {
  const packaged = NODE_BINARIES[`${process.platform}-${process.arch}`];
  if (packaged === undefined) return;
  for (const unused of ['include', 'share'])
    rmSync(path.join(folder, 'node_modules', packaged.name, unused), { recursive: true, force: true });
}
