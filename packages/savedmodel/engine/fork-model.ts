import { fork } from 'node:child_process';
import { totalmem } from 'node:os';
import { dirname, resolve } from 'node:path';
import { modelCode, modelVariables } from '#model-code';
import type { Signature } from '../savedmodel/servable-model.ts';
import { modelEntry } from './model-entry.ts';
import { packTensors, type ProcessMessage, toError, unpackResult } from './process-messages.ts';
import { restrictedNode } from './restricted-node.ts';
import type { Runner, RunnerAnswer } from './run-queue.ts';

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
