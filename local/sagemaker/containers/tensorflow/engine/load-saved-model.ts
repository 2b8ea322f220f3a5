import { availableParallelism } from 'node:os';
import { checkFeeds } from './check-feeds.ts';
import { forkModel } from './fork-model.ts';
import { createRunQueue } from './run-queue.ts';
import { InvalidFeeds, type ServableModel } from './servable-model.ts';

/** More workers than this would only multiply the memory that the weights take. */
const MAX_WORKERS = 2;

/**
 * Loads the SavedModel of a version directory into processes of its own, each with the whole model.
 *
 * @throws {UnsupportedModel} {BrokenModel}
 */
export async function loadSavedModel(
  versionDir: string,
  { workers = Math.min(MAX_WORKERS, availableParallelism()) }: { readonly workers?: number } = {},
): Promise<ServableModel> {
  const pool = Array.from({ length: workers }, () => forkModel(versionDir));
  const close = async () => {
    await Promise.all(pool.map((model) => model.close()));
  };
  try {
    const [signatures = []] = await Promise.all(pool.map((model) => model.loaded));
    const enqueue = createRunQueue(pool);
    return {
      signatures,
      async run(name, feeds) {
        const signature = signatures.find((known) => known.name === name);
        if (signature === undefined)
          throw new InvalidFeeds(`Serving signature name: "${name}" not found in signature def`);
        checkFeeds(signature, feeds);
        return enqueue(name, feeds);
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
