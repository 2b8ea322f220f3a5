import { availableParallelism } from 'node:os';
import { converterDigest } from '@inferdrop/savedmodel/internal/converter-digest';
import { RUNTIME_LINE, type ServableModel } from '../savedmodel/servable-model.ts';
import { checkFeeds } from './check-feeds.ts';
import { type ForkedModel, forkModel } from './fork-model.ts';
import { createRunQueue, type Runner } from './run-queue.ts';

/** A model that gets another process when its process dies. */
interface LastingModel extends Runner {
  /** Facts from the first process. */
  readonly loaded: ForkedModel['loaded'];
  close(): Promise<void>;
}

/**
 * Keeps a model served when native code crashes or the machine kills its process, as TensorFlow Serving's container restarts a
 * server that has ended. Running calls fail; the next call starts a process and waits until it has loaded.
 */
export function createLastingModel(start: () => ForkedModel, log: (line: string) => void): LastingModel {
  let model = start();
  let closed = false;
  return {
    loaded: model.loaded,
    get ended() {
      return closed ? model.ended : undefined;
    },
    async run(signature, calls) {
      if (model.ended !== undefined && !closed) {
        log(`${model.ended.message}; it is started again`);
        model = start();
      }
      const current = model;
      await current.loaded;
      return current.run(signature, calls);
    },
    async close() {
      closed = true;
      await model.close();
    },
  };
}

/**
 * Runtime of a model here, for the container's log: onnxruntime with its version, and for a SavedModel the digest of the
 * converter's code.
 */
async function whatRuns(source: string): Promise<string> {
  // Imported here, so that a process that loads no model needs no onnxruntime.
  const { default: onnxruntime } = await import('onnxruntime-node/package.json', { with: { type: 'json' } });
  if (source.endsWith('.onnx')) return `onnxruntime ${onnxruntime.version}`;
  return `onnxruntime ${onnxruntime.version}, SavedModel converted to ONNX by converter ${await converterDigest()}`;
}

/** More workers than this would only multiply the memory that the weights take. */
const MAX_WORKERS = 2;

/** How a model is loaded. */
export interface LoadOptions {
  /** Processes. */
  readonly workers?: number;
  readonly log?: (line: string) => void;
}

/**
 * Loads the SavedModel of a version directory, or an ONNX file, into processes of its own, each with the whole model.
 *
 * @throws {UnsupportedModel} {BrokenModel}
 */
export async function loadInProcesses(
  source: string,
  { workers = Math.min(MAX_WORKERS, availableParallelism()), log = () => undefined }: LoadOptions = {},
): Promise<ServableModel> {
  const pool = Array.from({ length: workers }, (_, index) =>
    createLastingModel(() => forkModel(source, index === 0 ? log : () => undefined, log), log),
  );
  const close = async () => {
    await Promise.all(pool.map((model) => model.close()));
  };
  try {
    const [signatures = []] = await Promise.all(pool.map((model) => model.loaded));
    log(`${RUNTIME_LINE}${await whatRuns(source)}`);
    const enqueue = createRunQueue(pool);
    return {
      signatures,
      async run(name, feeds) {
        checkFeeds(signatures, name, feeds);
        return enqueue(name, feeds);
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
