import { fork } from 'node:child_process';
import { renameSync } from 'node:fs';
import { createRequire } from 'node:module';
import { totalmem } from 'node:os';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { modelCode, modelVariables } from '#model-code';
import type { Signature } from '../savedmodel/servable-model.ts';
import { packTensors, type ProcessMessage, toError, unpackResult } from './process-messages.ts';
import { restrictedNode } from './restricted-node.ts';
import type { Runner, RunnerAnswer } from './run-queue.ts';

const ENTRY = fileURLToPath(import.meta.resolve('#savedmodel/engine/model-process.ts'));

let made: string | undefined;

/**
 * Program of a model's process. In a checkout it is one file, which each process that starts models makes anew: Node keeps nothing that
 * it has compiled for a process which may write nothing, and 300 modules of TypeScript cost it 1.1 s of processor time, the file 0.2 s.
 */
function modelEntry(): string {
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

/** A process with the whole model in it. */
export interface ForkedModel extends Runner {
  /** @throws {UnsupportedModel} {BrokenModel} */
  readonly loaded: Promise<readonly Signature[]>;
  close(): Promise<void>;
}

/** Share of this machine's memory that a process may ask for. */
const SHARE = 0.8;

/**
 * A graph of a few bytes may ask for terabytes. What TensorFlow wrote is bounded by its converter; an ONNX file reaches
 * onnxruntime as it is, so its process has a limit where the system knows one: asking for more is then an error of the
 * request, and not the end of the machine's memory.
 */
function bounded(source: string, args: readonly string[]): { execArgv: string[]; execPath?: string } {
  if (!source.endsWith('.onnx') || process.platform !== 'linux') return { execArgv: [...args] };
  const kibibytes = Math.floor((totalmem() * SHARE) / 1024);
  return {
    execPath: '/bin/sh',
    execArgv: ['-c', `ulimit -d ${kibibytes} && exec "$0" "$@"`, process.execPath, ...args],
  };
}

/**
 * Loads the SavedModel of a version directory, or an ONNX file, into a process of its own, which starts in the model's folder and reads
 * nothing else.
 *
 * @param onLoaded gets remarks on how the model runs; every process that loads it makes the same ones
 * @param log gets remarks that only this process makes, later
 * @throws {Error} for a folder that Node's permission flags cannot express
 */
export function forkModel(
  source: string,
  onLoaded: (line: string) => void,
  log: (line: string) => void,
): ForkedModel {
  const file = resolve(source);
  const folder = file.endsWith('.onnx') ? dirname(file) : file;
  const { args, env } = restrictedNode([...modelCode(), folder]);
  const loading = Promise.withResolvers<readonly Signature[]>();
  loading.promise.catch(() => undefined);
  const requests = new Map<number, PromiseWithResolvers<RunnerAnswer>>();
  const exited = Promise.withResolvers<void>();
  let ended: Error | undefined;
  let lastId = 0;
  const end = (reason: Error): void => {
    ended ??= reason;
    loading.reject(ended);
    for (const request of requests.values()) request.reject(ended);
    requests.clear();
  };
  const child = fork(modelEntry(), [file], {
    ...bounded(file, [...args, '--allow-addons', '--disable-warning=SecurityWarning']),
    env: { ...env, ...modelVariables() },
    cwd: folder,
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  child.on('message', (message: ProcessMessage) => {
    switch (message.kind) {
      case 'loaded':
        message.remarks.forEach((line) => onLoaded(line));
        return loading.resolve(message.signatures);
      case 'remark':
        return log(message.line);
      case 'refused':
        return loading.reject(toError(message.failure));
      case 'results': {
        const { id, results, cpuMs } = message;
        requests.get(id)?.resolve({ results: results.map(unpackResult), cpuMs });
        requests.delete(id);
      }
    }
  });
  child.on('error', end);
  child.on('exit', (code, signal) => {
    end(new Error(`The process that runs the model ended with ${signal ?? `code ${code}`}`));
    exited.resolve();
  });
  return {
    loaded: loading.promise,
    get ended() {
      return ended;
    },
    run(signature, calls) {
      if (ended !== undefined) return Promise.reject(ended);
      const id = ++lastId;
      const request = Promise.withResolvers<RunnerAnswer>();
      requests.set(id, request);
      child.send({ id, signature, calls: calls.map(packTensors) }, (error) => {
        if (error !== null) end(error);
      });
      return request.promise;
    },
    async close() {
      end(new Error('The model is closed'));
      child.kill('SIGKILL');
      await exited.promise;
    },
  };
}
