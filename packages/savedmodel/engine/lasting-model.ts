import type { ForkedModel } from './fork-model.ts';
import type { Runner } from './run-queue.ts';

/** A model that gets another process when its process dies. */
export interface LastingModel extends Runner {
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
