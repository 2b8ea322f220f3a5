import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { build, type BuildOptions, stop } from 'esbuild';
import { converterDigest } from '@inferdrop/savedmodel/internal/converter-digest';
import { billOfMaterials } from './bill-of-materials.ts';
import { BILL_OF_MATERIALS } from './bill-of-materials-name.ts';
import { lockedPackages } from './bundled-packages.ts';
import { carryFiles } from './carry-files.ts';
import { ownSourceMap } from './own-source-map.ts';
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

/** Packages that load files by their own paths: scripts/native-part.ts and scripts/python-part.ts add them. */
const PARTS = ['onnxruntime-node', 'pyodide'];

/** The function that runs models. */
export const PREDICT_FUNCTION = 'predict-shard';
/** Program of the process with a model's script, in a folder of its own: it may read that, and little else. */
const SCRIPT_PROCESS = 'model-container/handlers/pyodide-process';
const SANDBOX = 'sandbox';
/** Where the code of packages/model-container finds its programs, as `imports` of package.json. */
const IMPORTS = {
  [`#${SCRIPT_PROCESS}.ts`]: `./${SANDBOX}/pyodide-process.mjs`,
  '#model-container/python-process/python-frames.ts': `./${SANDBOX}/pyodide-process.mjs`,
};

/**
 * Functions with callers that wait for a cold start: their names are also shortened. The other functions keep theirs, so that a
 * module has the same text in each of them, and the archive of them all in the package is half as large.
 */
const SHORTENED: readonly string[] = ['predict', 'api'];

/**
 * Bundles each file of `functions/` with its dependencies into `<folder>/<name>.zip`, which `serverless.yml` packages,
 * and writes the bill of materials of them all. The zips are reproducible.
 */
export async function buildFunctions(root: string, folder = FOLDER): Promise<readonly Bundle[]> {
  const sources = (await readdir(path.join(root, 'functions'))).filter((file) => file.endsWith('.ts'));
  const names = sources.map((file) => path.basename(file, '.ts'));
  const target = path.join(root, folder);
  await rm(target, { recursive: true, force: true });
  await mkdir(target, { recursive: true });

  const common = {
    absWorkingDir: root,
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    // Tree shaking works on the SDK's ES modules, not on its CommonJS builds.
    mainFields: ['module', 'main'],
    external: PARTS,
    // Credentials come only from the environment (ADR 4).
    alias: {
      '@aws-sdk/credential-provider-node': './functions/runtime/execution-role.ts',
      '@inferdrop/savedmodel/internal/converter-digest': './functions/runtime/bundled-converter-digest.ts',
    },
    define: { CONVERTER_DIGEST: JSON.stringify(await converterDigest()) },
    minifySyntax: true,
    minifyWhitespace: true,
    sourcemap: 'linked',
    sourcesContent: false,
    legalComments: 'none',
    banner: { js: REQUIRE },
    metafile: true,
    logLevel: 'warning',
  } satisfies BuildOptions;
  const metafiles = await Promise.all(
    [true, false].map(async (isShort) => {
      const entryPoints = names
        .filter((name) => SHORTENED.includes(name) === isShort)
        .map((name) => ({ in: `functions/${name}.ts`, out: `${name}/index` }));
      return (await build({ ...common, entryPoints, minifyIdentifiers: isShort })).metafile;
    }),
  );
  const sandbox = await build({
    ...common,
    entryPoints: [`packages/${SCRIPT_PROCESS}.ts`],
    outdir: path.join(folder, PREDICT_FUNCTION, SANDBOX),
    sourcemap: false,
  });
  metafiles.push(sandbox.metafile);
  // Its process holds more than a gigabyte, and a stack would keep it as long as it is up.
  await stop();

  for (const metafile of metafiles)
    for (const output of Object.keys(metafile.outputs)) {
      await carryFiles(root, output, metafile);
      if (output.endsWith('.map')) await shorten(path.join(root, output));
    }
  await writeFile(path.join(target, PREDICT_FUNCTION, 'package.json'), JSON.stringify({ imports: IMPORTS }));
  // Lambda unpacks the zip as the task's folder, so its paths must not include `build/functions/<name>/`.
  await zipFolders(target, target);
  const parts = [
    ...lockedPackages(root, 'packages/savedmodel/engine', ['onnxruntime-node', 'onnxruntime-common']),
    ...lockedPackages(root, '', ['pyodide', 'ws']),
  ];
  await writeFile(path.join(target, BILL_OF_MATERIALS), billOfMaterials(root, metafiles, parts));
  return names.map((name) => {
    const file = path.join(folder, name, 'index.mjs');
    const output = metafiles.map(({ outputs }) => outputs[file.split(path.sep).join('/')]).find(Boolean);
    if (output === undefined) throw new Error(`esbuild wrote no bundle of functions/${name}.ts`);
    return { name, file, sizeBytes: output.bytes };
  });
}

async function shorten(sourceMap: string): Promise<void> {
  await writeFile(sourceMap, ownSourceMap(await readFile(sourceMap, 'utf8')));
}
