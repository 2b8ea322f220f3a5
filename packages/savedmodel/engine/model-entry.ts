import { renameSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const ENTRY = fileURLToPath(import.meta.resolve('#savedmodel/engine/model-process.ts'));

let made: string | undefined;

/**
 * Program of a model's process. In a checkout it is one file, which each process that starts models makes anew: Node keeps nothing that
 * it has compiled for a process which may write nothing, and 300 modules of TypeScript cost it 1.1 s of processor time, the file 0.2 s.
 */
export function modelEntry(): string {
  made ??= ENTRY.endsWith('.ts') ? bundle() : ENTRY;
  return made;
}

function bundle(): string {
  // Only a checkout has it.
  const { buildSync }: typeof import('esbuild') = createRequire(import.meta.url)('esbuild');
  const file = fileURLToPath(new URL('node_modules/.cache/model-process.cjs', import.meta.url));
  const aside = `${file}.${process.pid}`;
  buildSync({
    entryPoints: [ENTRY],
    outfile: aside,
    bundle: true,
    platform: 'node',
    // Unlike a module's imports, calls of `require` run in their order: telemetry is off before ONNX Runtime is loaded.
    format: 'cjs',
    mainFields: ['module', 'main'],
    external: ['onnxruntime-node'],
    // Decoders of images open their WebAssembly next to themselves.
    define: { 'import.meta.url': JSON.stringify(new URL('../../image/pixels.ts', import.meta.url).href) },
  });
  renameSync(aside, file);
  return file;
}
