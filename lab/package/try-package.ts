// `npm run lab -- package`: builds the package, installs it in an empty folder with npm, and runs the commands there, as a user of it
// has them: with parts in a cache of their own, nothing written below node_modules, and no word of this repository.
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { packageApplication } from '../../scripts/package-application.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..');
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
const began = performance.now();

const home = mkdtempSync(path.join(tmpdir(), 'inferdrop-package-'));
const project = path.join(home, 'project');
mkdirSync(project);
const cache = path.join(home, 'cache');
/** Environment of a user: no variable of this repository's npm, none of AWS. */
const environment: NodeJS.ProcessEnv = {
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(npm_|AWS_|INFERDROP_)/.test(name)),
  ),
  INFERDROP_CACHE: cache,
  NO_COLOR: '1',
};
const BIN = path.join(project, 'node_modules', 'inferdrop', 'bin', 'inferdrop.mjs');

/** Runs the installed command and returns its standard output. */
function inferdrop(args: readonly string[], { code = 0, env = {} as NodeJS.ProcessEnv } = {}): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [BIN, ...args], {
    cwd: project,
    encoding: 'utf8',
    env: { ...environment, ...env },
    maxBuffer: 1 << 26,
  });
  assert.equal(status, code, `inferdrop ${args.join(' ')} ended with ${status}:\n${stdout}\n${stderr}`);
  return stdout;
}

function step(text: string): void {
  process.stdout.write(`${((performance.now() - began) / 1000).toFixed(0).padStart(4)} s  ${text}\n`);
}

/** All files below a folder, with their sizes. */
function sizesBelow(folder: string): ReadonlyMap<string, number> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return new Map(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => {
        const file = path.join(entry.parentPath, entry.name);
        return [path.relative(folder, file), statSync(file).size];
      }),
  );
}

const megabytes = (sizes: ReadonlyMap<string, number>): string =>
  ([...sizes.values()].reduce((sum, size) => sum + size, 0) / 1e6).toFixed(1);

try {
  execFileSync(process.execPath, ['scripts/package/build.ts'], { cwd: ROOT, stdio: 'inherit' });
  const { version } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
  const tarball = path.join(ROOT, 'build', `inferdrop-${version}.tgz`);
  step('built');

  writeFileSync(path.join(project, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  execFileSync(npm, ['install', '--no-audit', '--no-fund', '--silent', tarball], {
    cwd: project,
    env: environment,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  const modules = path.join(project, 'node_modules');
  const installed = sizesBelow(modules);
  const packages = Object.keys(
    JSON.parse(readFileSync(path.join(modules, '.package-lock.json'), 'utf8')).packages,
  );
  assert.ok(packages.length <= 5, `installs ${packages.join(', ')}`);
  step(`installed: ${packages.length} packages, ${megabytes(installed)} MB, ${installed.size} files`);

  const asked = performance.now();
  assert.equal(inferdrop(['--version']), `inferdrop ${version}\n`);
  step(`--version in ${(performance.now() - asked).toFixed(0)} ms`);
  assert.match(inferdrop(['--help']), /^Usage: inferdrop COMMAND/);
  assert.match(inferdrop(['parts']), /^onnxruntime .* no /m);
  inferdrop(['nonsense'], { code: 2 });

  await sameAsCheckout();
  step('functions and template are the checkout’s');

  // The folder of another user, which this user may not write into.
  const isRoot = process.getuid?.() === 0;
  if (!isRoot) chmodSync(path.join(modules, 'inferdrop'), 0o555);

  writeFileSync(path.join(project, 'try.js'), readFileSync(path.join(import.meta.dirname, 'own-test.mjs')));
  for (const folder of ['fashion-mnist'])
    cpSync(path.join(ROOT, 'examples', folder), path.join(project, 'pipeline'), { recursive: true });
  await run(process.execPath, ['try.js', BIN]);
  step('startLaptop: a pipeline, a drop and its report, the commands, deploy and remove');

  typed();
  step('laptop.d.mts is read by tsc --strict');

  const {
    run: name,
    gate,
    accuracy,
  } = JSON.parse(lastLine(inferdrop(['start', '--once', '--json', '--port', '0'])));
  // On a busy machine an upload may pause for longer than the example's quietSeconds: the rest is then a run of its own.
  assert.equal(gate, 'passed');
  step(`start --once: ${name} with an accuracy of ${accuracy}`);

  assert.deepEqual(sizesBelow(modules), installed, 'a command has written below node_modules');
  assert.ok(existsSync(path.join(cache, 'parts')));
  step(`nothing was written below node_modules; the cache has ${megabytes(sizesBelow(cache))} MB`);
} finally {
  rmSync(home, { recursive: true, force: true });
}

/** Compares the package's deployment with this checkout's, byte for byte except the stage and the time of packaging. */
async function sameAsCheckout(): Promise<void> {
  const own = await packageApplication(ROOT, 'dev');
  const place = path.join(project, 'node_modules', 'inferdrop', 'application');
  const timeless = (template: string): string => template.replaceAll(/\d{13}-[\d-]+T[\d:.]+Z/g, 'TIME');
  const template = readFileSync(path.join(place, 'template.json'), 'utf8');
  assert.equal(timeless(template.replaceAll('stage-of-package', 'dev')), timeless(own.template));
  assert.equal(readFileSync(path.join(place, 'sbom.cdx.json'), 'utf8'), own.billOfMaterials);
  const { unpackFiles } = await import('../../scripts/package/archive.ts');
  const folder = path.join(home, 'functions');
  await unpackFiles(readFileSync(path.join(place, 'functions.zst')), folder);
  const functions = sizesBelow(folder);
  assert.ok(functions.size > 50);
  for (const file of functions.keys()) {
    const packed = readFileSync(path.join(folder, file));
    // A source map names files relative to the build folder, and that has the stage in its name.
    if (file.endsWith('.map')) continue;
    assert.ok(packed.equals(readFileSync(path.join(own.bundles, file))), `${file} differs`);
  }
}

/** Compiles a program that uses every field, with nothing but the installed package. */
function typed(): void {
  const file = path.join(project, 'typed.mts');
  writeFileSync(
    file,
    `import { type Laptop, startLaptop } from 'inferdrop/laptop';
const laptop: Laptop = await startLaptop({ port: 0, stage: 'dev' });
const texts: string[] = [laptop.endpoint, laptop.region, laptop.bucket, laptop.apiUrl, laptop.credentials.secretAccessKey];
// @ts-expect-error: there is no such option
await startLaptop({ prot: 1 });
console.log(texts, Object.keys(laptop.environment));
await laptop.close();
`,
  );
  const tsc = path.join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  const options = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2024', '--types', 'node'];
  const roots = ['--typeRoots', path.join(ROOT, 'node_modules', '@types')];
  execFileSync(process.execPath, [tsc, ...options, ...roots, file], { cwd: project, stdio: 'inherit' });
}

function run(command: string, args: readonly string[]): Promise<void> {
  const child = spawn(command, args, { cwd: project, env: environment, stdio: 'inherit' });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`${args.join(' ')} ended with ${code}`)),
    );
  });
}

function lastLine(text: string): string {
  return text.trimEnd().split('\n').at(-1) ?? '';
}
