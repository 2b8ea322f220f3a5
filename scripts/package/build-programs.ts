import path from 'node:path';
import { build, type BuildOptions, type Metafile } from 'esbuild';
import { carryFiles } from '../carry-files.ts';
import { LAYOUT } from './layout.ts';

/** Programs of the packages that are started as processes, or imported by their address: `#<package>/<file>` in the code. */
const PROGRAMS = [
  'model-container/handlers/make-snapshot',
  'model-container/onnx/container-process',
  'model-container/pytorch/container-process',
  'model-container/tensorflow/container-process',
  'model-container/tensorflow/engine/load-in-tensorflow',
  'savedmodel/engine/load-saved-model',
  'training-container/hosts/endpoint-listener',
  'training-container/keeper-process',
];
/** Programs that may read their own folder and little else, so that it has nothing but them. */
const SANDBOXED = [
  'model-container/handlers/pyodide-process',
  'model-container/handlers/script-process',
  'model-container/python-process/python-frames',
  'savedmodel/engine/model-process',
];

/** The package's stand-ins for things that a checkout makes while it runs, or finds elsewhere. */
const INSTEAD = {
  '#console-script': './scripts/package/instead/console-script.ts',
  '#example-folder': './scripts/package/instead/example-folder.ts',
  '#package-application': './scripts/package/instead/package-application.ts',
  '#model-code': './scripts/package/instead/model-code.ts',
  '#service-folder': './scripts/package/instead/service-folder.ts',
  '#worker-file': './scripts/package/instead/worker-file.ts',
  '@inferdrop/savedmodel/internal/converter-digest': './scripts/package/instead/converter-digest.ts',
  'onnxruntime-node': './scripts/package/instead/onnxruntime.ts',
  'onnxruntime-node/package.json': './packages/savedmodel/engine/node_modules/onnxruntime-node/package.json',
};
const EXTERNAL = ['pyodide'];

/** Plugins of osls that serverless.yml names. */
const PLUGINS = [
  'adopt-bucket',
  'compare-bundles',
  'guard-removal',
  'review-deployment',
  'template-steps',
  'upload-bill-of-materials',
];

const COMMON = {
  bundle: true,
  format: 'esm',
  platform: 'node',
  // The oldest Node that the package runs on.
  target: 'node22',
  mainFields: ['module', 'main'],
  banner: {
    js: "import { createRequire as $require } from 'node:module'; const require = $require(import.meta.url);",
  },
  legalComments: 'none',
  minify: true,
  logLevel: 'warning',
  metafile: true,
} satisfies BuildOptions;

/** Where the code of a package finds its files, as `imports` of package.json. */
export const IMPORTS: Readonly<Record<string, string>> = {
  '#package.json': './package.json',
  '#savedmodel/load-saved-model': './dist/savedmodel/engine/load-saved-model.js',
  ...Object.fromEntries(
    SANDBOXED.map((name) => [`#${name}.ts`, `./dist/sandbox/${path.posix.basename(name)}.js`]),
  ),
  ...Object.fromEntries(
    ['laptop', 'model-container', 'savedmodel', 'training-container'].flatMap((name) => [
      [`#${name}/*.ts`, `./dist/${name}/*.js`],
      [`#${name}/*`, `./packages/${name}/*`],
    ]),
  ),
};

/** Bundles the programs of the package into `out`, and says what is in them. */
export async function buildPrograms(root: string, out: string): Promise<readonly Metafile[]> {
  const common = { ...COMMON, absWorkingDir: root };
  const dist = path.join(out, LAYOUT.dist);
  const { metafile: programs } = await build({
    ...common,
    entryPoints: [
      { in: 'src/cli/main.ts', out: 'main' },
      { in: 'scripts/package/old-node.ts', out: 'old-node' },
      { in: 'src/cli/laptop/start-laptop.ts', out: 'start-laptop' },
      ...PROGRAMS.map((name) => ({ in: `packages/${name}.ts`, out: name })),
      ...PLUGINS.map((name) => ({ in: `scripts/${name}.ts`, out: `plugins/${name}` })),
    ],
    outdir: dist,
    splitting: true,
    chunkNames: 'chunks/[hash]',
    alias: INSTEAD,
    external: EXTERNAL,
  });
  const { metafile: sandboxed } = await build({
    ...common,
    entryPoints: SANDBOXED.map((name) => ({ in: `packages/${name}.ts`, out: path.posix.basename(name) })),
    outdir: path.join(dist, 'sandbox'),
    alias: { 'onnxruntime-node': './scripts/package/instead/given-onnxruntime.ts' },
    external: EXTERNAL,
  });
  const { metafile: worker } = await build({
    ...common,
    entryPoints: ['packages/laptop/lambda/function-worker.ts'],
    outfile: path.join(out, LAYOUT.functionWorker),
  });
  const { metafile: pages } = await build({
    ...common,
    entryPoints: ['web/console/main.ts'],
    outfile: path.join(out, LAYOUT.consoleScript),
    platform: 'browser',
    target: 'es2023',
    charset: 'utf8',
    banner: {},
  });
  const { metafile: bin } = await build({
    ...common,
    entryPoints: ['scripts/package/bin.ts'],
    outfile: path.join(out, 'bin', 'inferdrop.mjs'),
    // An older Node prints which version is needed.
    target: 'node14',
    banner: { js: '#!/usr/bin/env node' },
  });
  const builds = [programs, sandboxed, worker, pages, bin];
  for (const metafile of builds)
    for (const output of Object.keys(metafile.outputs)) await carryFiles(root, output, metafile);
  return builds;
}
