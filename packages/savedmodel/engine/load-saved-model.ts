import type { ServableModel } from '../savedmodel/servable-model.ts';
import { loadInProcesses, type LoadOptions } from './load-in-processes.ts';

/** Loads the SavedModel of a version directory. @throws {UnsupportedModel} {BrokenModel} */
export function loadSavedModel(versionDir: string, options?: LoadOptions): Promise<ServableModel> {
  return loadInProcesses(versionDir, options);
}
