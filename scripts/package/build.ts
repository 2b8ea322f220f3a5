// `npm run pack`: writes the package as a folder, build/npm, and as build/inferdrop-<version>.tgz.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import * as z from 'zod';
import { converterDigest } from '@inferdrop/savedmodel/internal/converter-digest';
import { toSize } from '../../src/text/size.ts';
import { billOfMaterials } from '../bill-of-materials.ts';
import { BILL_OF_MATERIALS } from '../bill-of-materials-name.ts';
import { bundledPackages } from '../bundled-packages.ts';
import { HELP_FILE } from '../static-help.mjs';
import { writeApplication } from './application-files.ts';
import { compress } from './archive.ts';
import { buildPrograms, IMPORTS } from './build-programs.ts';
import { LAYOUT } from './layout.ts';
import { refuseMissingFiles } from './missing-files.ts';
import { thirdPartyNotices } from './notices.ts';
import { writeParts } from './parts-of-package.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..');
const OUT = path.join(ROOT, 'build', 'npm');
/** Limit on the download of everyone who installs the package: a third of it is the functions, a third the programs. */
const MAX_TARBALL_BYTES = 5_500_000;

/** Files that the programs read, at their places in the repository. */
const READ_BY_PROGRAMS = /\.(json|py|sh)$/;
const FOLDERS_OF_PROGRAMS = [
  'packages/laptop',
  'packages/model-container',
  'packages/training-container',
  'src/cli/init',
  'src/models/pickle',
];
const COPIED = [
  'LICENSE',
  'README.md',
  'CHANGELOG.md',
  'docs',
  HELP_FILE,
  'web/console/index.html',
  'web/console/style.css',
  'examples/fashion-mnist/pipeline.json',
  'examples/fashion-mnist/images',
  'examples/fashion-mnist/LICENSE-fashion-mnist',
  'examples/train-fashion-mnist',
];
/** Documents that only a developer reads. */
const NOT_COPIED = /[\\/]docs[\\/](adr|pictures|recipes\.md|openapi\.json)|__pycache__/;

const Manifest = z.object({
  version: z.string(),
  description: z.string(),
  license: z.string(),
  engines: z.object({ node: z.string() }),
});
const Container = z.object({ dependencies: z.object({ pyodide: z.string() }) });
const Engine = z.object({ dependencies: z.object({ 'onnxruntime-node': z.string() }) });

const read = <T>(schema: z.ZodType<T>, file: string): T =>
  schema.parse(JSON.parse(readFileSync(path.join(ROOT, file), 'utf8')));
const { version, description, license, engines } = read(Manifest, 'package.json');

rmSync(OUT, { recursive: true, force: true });
mkdirSync(OUT, { recursive: true });
const builds = await buildPrograms(ROOT, OUT);
await writeApplication(ROOT, OUT);
writeParts(ROOT, OUT);
copyFiles();
await writeOwn();
writeFileSync(path.join(OUT, BILL_OF_MATERIALS), billOfMaterials(ROOT, builds));
writeFileSync(
  path.join(OUT, 'THIRD-PARTY-NOTICES.txt'),
  thirdPartyNotices(ROOT, bundledPackages(ROOT, builds)),
);
writeManifest();
refuseMissingFiles(OUT);
pack();

function copyFiles(): void {
  for (const one of COPIED)
    cpSync(path.join(ROOT, one), path.join(OUT, one), {
      recursive: true,
      filter: (file) => !NOT_COPIED.test(file),
    });
  for (const folder of FOLDERS_OF_PROGRAMS)
    for (const entry of readdirSync(path.join(ROOT, folder), { recursive: true, withFileTypes: true })) {
      const own = path.relative(ROOT, path.join(entry.parentPath, entry.name));
      if (!entry.isFile() || !READ_BY_PROGRAMS.test(own)) continue;
      if (/(^|[\\/])(test|node_modules)[\\/]|package(-lock)?\.json$/.test(own)) continue;
      cpSync(path.join(ROOT, own), path.join(OUT, own));
    }
}

async function writeOwn(): Promise<void> {
  const digest = path.join(OUT, LAYOUT.converterDigest);
  mkdirSync(path.dirname(digest), { recursive: true });
  writeFileSync(digest, await converterDigest());
  const model = readFileSync(path.join(ROOT, LAYOUT.example, 'model.tar.gz'));
  writeFileSync(path.join(OUT, LAYOUT.exampleModel), await compress(gunzipSync(model)));
  for (const file of ['laptop.mjs', 'laptop.d.mts'])
    cpSync(path.join(import.meta.dirname, file), path.join(OUT, file));
}

function writeManifest(): void {
  const onnxruntime = read(Engine, 'packages/savedmodel/engine/package.json').dependencies;
  const manifest = {
    name: 'inferdrop',
    version,
    description,
    license,
    type: 'module',
    bin: { inferdrop: 'bin/inferdrop.mjs' },
    imports: IMPORTS,
    exports: {
      './laptop': { types: './laptop.d.mts', default: './laptop.mjs' },
      './package.json': './package.json',
    },
    engines,
    dependencies: {
      pyodide: read(Container, 'packages/model-container/package.json').dependencies.pyodide,
    },
    peerDependencies: onnxruntime,
    peerDependenciesMeta: { 'onnxruntime-node': { optional: true } },
  };
  writeFileSync(path.join(OUT, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

/** @throws {Error} for a tarball over its limit */
function pack(): void {
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  execFileSync(npm, ['pack', '--silent', '--ignore-scripts', '--pack-destination=..'], {
    cwd: OUT,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
  const file = path.join(OUT, '..', `inferdrop-${version}.tgz`);
  const { size } = statSync(file);
  const said = `${path.relative(ROOT, file)}: ${toSize(size)}`;
  if (size > MAX_TARBALL_BYTES) throw new Error(`${said}, the limit is ${toSize(MAX_TARBALL_BYTES)}`);
  console.log(said);
}
