import { availableParallelism } from 'node:os';
import { RUNTIME_LINE, type ServableModel } from '../savedmodel/servable-model.ts';
import { checkFeeds } from './check-feeds.ts';
import { forkModel } from './fork-model.ts';
import { createLastingModel } from './lasting-model.ts';
import { createRunQueue } from './run-queue.ts';
import { whatRuns } from './what-runs.ts';

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
