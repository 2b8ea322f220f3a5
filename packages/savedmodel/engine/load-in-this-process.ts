import type { ServableModel } from '../savedmodel/servable-model.ts';
import { checkFeeds } from './check-feeds.ts';
import { createCpuMeter } from './cpu-meter.ts';
import { env } from './onnxruntime.ts';
import { openConversion, type OpenedModel, openModel } from './open-model.ts';
import { createRunQueue, type Runner } from './run-queue.ts';

/**
 * Loads the SavedModel of a version directory, or an ONNX file, into this process, for programs that hold one model and
 * may end with it. Calls travel together as they do to processes of their own, so the answers are the same.
 *
 * @throws {UnsupportedModel} {BrokenModel}
 */
export async function loadInThisProcess(source: string): Promise<ServableModel> {
  return servable(await openModel(source));
}

/**
 * Loads a conversion likewise.
 *
 * @param savedModel gives a folder with the SavedModel itself, for signatures that callers seldom want
 * @throws {UnsupportedModel} {BrokenModel}
 */
export async function loadConversion(
  versionDir: string,
  savedModel: () => Promise<string>,
): Promise<ServableModel> {
  return servable(await openConversion(versionDir, savedModel));
}

function servable({ signatures, runCalls }: OpenedModel): ServableModel {
  const measure = createCpuMeter();
  const runner: Runner = {
    ended: undefined,
    async run(signature, calls) {
      const measured = measure();
      const results = await (await runCalls(signature))(calls);
      return { results, cpuMs: measured() };
    },
  };
  const enqueue = createRunQueue([runner]);
  return {
    signatures,
    async run(name, feeds) {
      checkFeeds(signatures, name, feeds);
      return enqueue(name, feeds);
    },
    close: () => Promise.resolve(),
  };
}

/** Runtime of the models of this process, in words for reports. */
export function runtimeHere(): string {
  return `onnxruntime ${env.versions.node ?? ''}`.trim();
}
