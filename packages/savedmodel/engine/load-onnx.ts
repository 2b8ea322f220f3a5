import type { ServableModel } from '../savedmodel/servable-model.ts';
import { loadInProcesses, type LoadOptions } from './load-in-processes.ts';

/** Loads an ONNX file; its name must end in `.onnx`. Its signature is named `onnx`. @throws {BrokenModel} */
export function loadOnnx(file: string, options?: LoadOptions): Promise<ServableModel> {
  return loadInProcesses(file, options);
}
