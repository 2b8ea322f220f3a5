import { createWriteStream } from 'node:fs';
import { cp, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { build, type Metafile, stop } from 'esbuild';
import { ZipFile } from 'yazl';

/** One function's bundle. */
export interface Bundle {
  readonly name: string;
  readonly file: string;
  /** Size of the unzipped code, without the source map. */
  readonly sizeBytes: number;
}

/** ESM in Lambda has no `require`; some CommonJS dependencies call it. */
const REQUIRE =
  "import { createRequire as $require } from 'node:module'; const require = $require(import.meta.url);";

/** Folder of the zips, unless the environment names another in `INFERDROP_BUNDLES`, which `serverless.yml` reads. */
const FOLDER = path.join('build', 'functions');

/**
 * Bundles each file of `functions/` with its dependencies into `<folder>/<name>.zip`, which `serverless.yml` packages. The zips
 * are reproducible.
 */
export async function buildFunctions(root: string, folder = FOLDER): Promise<readonly Bundle[]> {
  const sources = (await readdir(path.join(root, 'functions'))).filter((file) => file.endsWith('.ts'));
  const names = sources.map((file) => path.basename(file, '.ts'));
  const target = path.join(root, folder);
  await rm(target, { recursive: true, force: true });
  await mkdir(target, { recursive: true });

  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: names.map((name) => ({ in: `functions/${name}.ts`, out: `${name}/index` })),
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    // Tree shaking works on the SDK's ES modules, not on its CommonJS builds.
    mainFields: ['module', 'main'],
    // Credentials come from the environment alone (ADR 4).
    alias: {
      '@aws-sdk/credential-provider-node': './functions/runtime/execution-role.ts',
    },
    minify: true,
    sourcemap: 'linked',
    sourcesContent: false,
    legalComments: 'none',
    banner: { js: REQUIRE },
    metafile: true,
    logLevel: 'warning',
  });
  // Its process holds more than a gigabyte, and a stack would keep it as long as it is up.
  await stop();

  for (const name of names) await carryWebAssembly(root, path.join(folder, name), metafile);
  await Promise.all(names.map((name) => zip(path.join(target, name), path.join(target, `${name}.zip`))));
  return names.map((name) => {
    const file = path.join(folder, name, 'index.mjs');
    const output = metafile.outputs[file.split(path.sep).join('/')];
    if (output === undefined) throw new Error(`esbuild wrote no bundle of functions/${name}.ts`);
    return { name, file, sizeBytes: output.bytes };
  });
}

/** How a module names the file that it opens: relative to itself, and so relative to the bundle that takes its place. */
const WEB_ASSEMBLY = /new URL\('([\w/-]+\.wasm)', import\.meta\.url\)/g;

/** Copies the WebAssembly files that the modules of a bundle open to where the bundle looks for them. */
async function carryWebAssembly(root: string, folder: string, { outputs }: Metafile): Promise<void> {
  const inputs = outputs[`${folder.split(path.sep).join('/')}/index.mjs`]?.inputs ?? {};
  for (const module of Object.keys(inputs).filter((one) => one.startsWith('packages/'))) {
    const source = path.join(root, module);
    for (const [, file = ''] of (await readFile(source, 'utf8')).matchAll(WEB_ASSEMBLY))
      await cp(path.resolve(source, '..', file), path.join(root, folder, file));
  }
}

/** Lambda unpacks the zip as the task's folder, so its paths must not include `build/functions/<name>/`. */
async function zip(folder: string, file: string): Promise<void> {
  const archive = new ZipFile();
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
  for (const one of files.sort())
    archive.addFile(one, path.relative(folder, one).split(path.sep).join('/'), {
      mtime: new Date(Date.UTC(2020, 0, 1)),
      mode: 0o100644,
    });
  archive.end();
  await pipeline(archive.outputStream, createWriteStream(file));
}
