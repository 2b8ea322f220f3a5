import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { build, stop } from 'esbuild';
import { billOfMaterials } from './bill-of-materials.ts';
import { BILL_OF_MATERIALS } from './bill-of-materials-name.ts';
import { carryFiles } from './carry-files.ts';
import { zipFolders } from './zip-folder.ts';

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
 * Bundles each file of `functions/` with its dependencies into `<folder>/<name>.zip`, which `serverless.yml` packages, and writes the bill of
 * materials of them all. The zips are reproducible.
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
    // It loads a library by its path: scripts/native-part.ts adds it.
    external: ['onnxruntime-node'],
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

  for (const output of Object.keys(metafile.outputs)) await carryFiles(root, output, metafile);
  // Lambda unpacks the zip as the task's folder, so its paths must not include `build/functions/<name>/`.
  await zipFolders(target, target);
  await writeFile(path.join(target, BILL_OF_MATERIALS), billOfMaterials(root, [metafile]));
  return names.map((name) => {
    const file = path.join(folder, name, 'index.mjs');
    const output = metafile.outputs[file.split(path.sep).join('/')];
    if (output === undefined) throw new Error(`esbuild wrote no bundle of functions/${name}.ts`);
    return { name, file, sizeBytes: output.bytes };
  });
}
