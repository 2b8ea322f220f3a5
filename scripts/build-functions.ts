import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Plugin } from 'esbuild';
import { build } from 'esbuild';
import { ZipFile } from 'yazl';
import { leanSdk } from './lean-sdk.ts';
import { lightHttp } from './light-http.ts';
import { noJsonSchema } from './no-json-schema.ts';
import { pureSchemas } from './pure-schemas.ts';
import { shortPackages } from './short-packages.ts';
import { smallPageScripts } from './small-page-scripts.ts';

const LEAN = [pureSchemas, leanSdk, lightHttp, shortPackages, smallPageScripts];

/** What one bundle holds and weighs. */
export interface Bundle {
  readonly name: string;
  readonly file: string;
  /** Unzipped code, without the source map. */
  readonly sizeBytes: number;
}

/** A bundle with this module writes JSON Schemas: problems in a configuration are told by them. */
const WRITES_JSON_SCHEMA = 'src/pipeline/schema-node.ts';

/** ESM in Lambda has no `require`; some CommonJS dependencies ask for it. */
const REQUIRE =
  "import { createRequire as $require } from 'node:module'; const require = $require(import.meta.url);";

/** Where `serverless.yml` looks for the zips unless its parameter `bundles` says otherwise. */
const FOLDER = path.join('build', 'functions');

/**
 * Bundles each file of `functions/` with all it needs into `<folder>/<name>.zip`, which `serverless.yml` packages.
 * Zips are the same byte for byte when the code is.
 */
export async function buildFunctions(root: string, folder = FOLDER): Promise<readonly Bundle[]> {
  const sources = (await readdir(path.join(root, 'functions'))).filter((file) => file.endsWith('.ts'));
  const names = sources.map((file) => path.basename(file, '.ts'));
  const target = path.join(root, folder);
  await rm(target, { recursive: true, force: true });
  await mkdir(target, { recursive: true });

  const lean = await bundle(root, folder, names, [...LEAN, noJsonSchema]);
  const needy = names.filter((name) => lean[name]?.sources.has(WRITES_JSON_SCHEMA));
  const bundles = { ...lean, ...(await bundle(root, folder, needy, LEAN)) };

  await Promise.all(names.map((name) => zip(path.join(target, name), path.join(target, `${name}.zip`))));
  return names.map((name) => {
    const file = path.join(folder, name, 'index.mjs');
    return { name, file, sizeBytes: bundles[name]?.sizeBytes ?? 0 };
  });
}

interface Output {
  readonly sizeBytes: number;
  /** Paths below the root. */
  readonly sources: ReadonlySet<string>;
}

async function bundle(
  root: string,
  folder: string,
  names: readonly string[],
  plugins: readonly Plugin[],
): Promise<Record<string, Output>> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: names.map((name) => ({ in: `functions/${name}.ts`, out: `${name}/index` })),
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    // The SDK's ES modules can be shaken; its CommonJS builds cannot.
    mainFields: ['module', 'main'],
    alias: {
      '@aws-sdk/credential-provider-node': './functions/runtime/execution-role.ts',
      '@smithy/core/event-streams': './functions/runtime/no-event-streams.ts',
    },
    plugins: [...plugins],
    minify: true,
    sourcemap: 'linked',
    sourcesContent: false,
    legalComments: 'none',
    banner: { js: REQUIRE },
    metafile: true,
    logLevel: 'warning',
  });

  return Object.fromEntries(
    names.map((name) => {
      const output = metafile.outputs[[...folder.split(path.sep), name, 'index.mjs'].join('/')];
      if (output === undefined) throw new Error(`esbuild wrote no bundle of functions/${name}.ts`);
      return [name, { sizeBytes: output.bytes, sources: new Set(Object.keys(output.inputs)) }];
    }),
  );
}

/** Lambda unpacks the zip as the task's folder, so paths inside keep `build/functions/<name>/` out of the handler's way. */
async function zip(folder: string, file: string): Promise<void> {
  const archive = new ZipFile();
  for (const entry of (await readdir(folder)).sort())
    archive.addFile(path.join(folder, entry), entry, {
      mtime: new Date(Date.UTC(2020, 0, 1)),
      mode: 0o100644,
    });
  archive.end();
  await pipeline(archive.outputStream, createWriteStream(file));
}
