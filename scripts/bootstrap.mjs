// Makes a fresh clone ready on any Node >= 20: installs missing packages and finds Node 24 or newer.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { installAlone } from './install-lock.mjs';
import { isInstalled } from './installed-tree.mjs';
import { findPart, installPart, npm, partNode, PARTS } from './parts.mjs';
import { requireCredentials } from './require-credentials.mjs';
import { asksForText, printText } from './static-help.mjs';

// This file and what it imports keep to syntax and names that Node 14.13 knows, so that an old Node reaches the line that refuses it.
const OLDEST_NODE = 20;
const ownMajor = Number(process.versions.node.split('.')[0]);
if (ownMajor < OLDEST_NODE)
  fail(
    `inferdrop needs Node ${OLDEST_NODE} or newer; this is Node ${process.versions.node} (${process.execPath}). ` +
      'Install a newer one from https://nodejs.org and run the command again.',
  );

export const root = path.resolve(fileURLToPath(new URL('..', import.meta.url)));

/**
 * Runs `npm ci` if the installed packages don't match the current lockfiles. With `development: false`, packages for tests and
 * checks aren't installed, and stay if they already are.
 */
export function ensureInstalled({ development = true } = {}) {
  trying(() => install(development));
  trying(() => installPart('onnxruntime', root));
}

function install(development) {
  if (isThere(development)) return;
  installAlone(root, () => {
    if (!isThere(development)) npmInstalls(development);
  });
}

function isThere(development) {
  const read = (...place) => JSON.parse(readFileSync(path.join(root, ...place), 'utf8'));
  const record = ['node_modules', '.package-lock.json'];
  if (!existsSync(path.join(root, ...record))) return false;
  return isInstalled(read('package-lock.json'), read(...record), { development });
}

function npmInstalls(development) {
  process.stderr.write('Installing dependencies (once)…\n');
  const omitted = development ? [] : ['--omit=dev'];
  const { command, args, shell } = npm('ci', ...omitted, '--no-audit', '--no-fund', '--loglevel=error');
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    stdio: ['ignore', process.stderr, process.stderr],
    shell,
  });
  if (error) throw new Error(`npm could not be started: ${error.message}`);
  if (status !== 0) throw new Error(`npm ci ended with exit code ${status}; its messages are above`);
}

/** Result of a call; an error becomes one line, and exits the program. */
function trying(call) {
  try {
    return call();
  } catch (error) {
    return fail(error.message);
  }
}

let chosen;

/**
 * Path of a Node binary from 24 on: the user's own if it is new enough, else one that npm installs, once its digest matches the
 * pinned one.
 */
export function node24() {
  if (chosen === undefined) chosen = chooseNode();
  return chosen;
}

/** The user's own Node, if it is new enough. */
function ownNode() {
  const installed = path.join(root, PARTS.node.checkout, 'node_modules') + path.sep;
  // Scripts that run on the installed one start others; npm names the one that it runs on itself.
  return [process.execPath, process.env.npm_node_execpath].find(
    (file) => file !== undefined && !file.startsWith(installed) && majorOf(file) >= 24,
  );
}

function chooseNode() {
  const own = ownNode();
  if (own !== undefined) return own;
  const binary = trying(() => partNode(root));
  if (binary === undefined)
    return fail(
      `inferdrop needs Node 24; this is Node ${process.versions.node}, and no npm package carries Node 24 for ` +
        `${process.platform}-${process.arch}. ` +
        'Install Node 24 from https://nodejs.org and run the command again.',
    );
  linkForNpx(binary);
  return binary;
}

/** `npx` puts this folder first on the path, so that `npx vitest` runs on the installed Node as well. */
function linkForNpx(binary) {
  const link = path.join(root, 'node_modules', '.bin', 'node');
  if (process.platform !== 'win32' && existsSync(path.dirname(link)) && !existsSync(link))
    symlinkSync(binary, link);
}

function majorOf(binary) {
  if (binary === process.execPath) return Number(process.versions.node.split('.')[0]);
  const { stdout } = spawnSync(binary, ['--version'], { encoding: 'utf8' });
  return Number(/^v(\d+)\./.exec(stdout ?? '')?.[1] ?? 0);
}

/**
 * Runs an inferdrop command line and resolves to its exit code. Its packages are installed first (for a deployment, once there are
 * credentials); a text such as `--help` needs no installation.
 */
export async function runInferdrop(args, options) {
  if (asksForText(args)) {
    const isReady = isThere(false) && (ownNode() || findPart('node', root)) !== undefined;
    if (!isReady) return printText(root, args);
  } else {
    ensureInstalled({ development: false });
    if (ownMajor < 24) await requireCredentials(args).catch(({ message }) => fail(message));
  }
  return run([path.join(root, 'src/cli/main.ts'), ...args], options);
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Runs a script of this repository under Node 24 and resolves to its exit code; Ctrl-C reaches the script, which exits on its own. */
export function run(args, options = {}) {
  const child = spawn(node24(), args, {
    cwd: root,
    stdio: 'inherit',
    ...options,
    env: environment(options.env),
  });
  const pass = (signal) => child.kill(signal);
  for (const signal of SIGNALS) process.on(signal, pass);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      for (const passed of SIGNALS) process.off(passed, pass);
      resolve(code ?? (signal === 'SIGINT' ? 130 : 1));
    });
  });
}

/** The file of the program `bin` of an installed package, from the package's own metadata. */
export function tool(name, bin = name) {
  const folder = path.join(root, 'node_modules', name);
  const { bin: bins } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  return path.join(folder, typeof bins === 'string' ? bins : bins[bin]);
}

/**
 * The project's pinned tools come first on the path. Node keeps what it has compiled, types stripped: a process that finds it there,
 * as each of a stack's containers does, starts with half of the processor time.
 */
function environment(extra = {}) {
  const modules = path.join(root, 'node_modules');
  const node = path.dirname(node24());
  return {
    NODE_COMPILE_CACHE: path.join(modules, '.cache', 'inferdrop', 'compiled'),
    ...process.env,
    PATH: [node, path.join(modules, '.bin'), process.env.PATH].join(path.delimiter),
    ...extra,
  };
}

/** @returns {never} */
function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
