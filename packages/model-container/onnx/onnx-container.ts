import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadOnnx } from '@inferdrop/savedmodel/load-onnx';
import { describeRefusal } from '@inferdrop/savedmodel/servable-model';
import type { ContainerKind } from '../container-kind.ts';

/**
 * An ONNX archive with inferdrop's handler, in onnxruntime and without Python. It stands for no image: AWS runs the handler in
 * PyTorch's image.
 */
export const onnx: ContainerKind = {
  repositories: [],
  entry: fileURLToPath(import.meta.resolve('#model-container/onnx/container-process.ts')),
  needs: null,
  scriptsRunIn: () => null,
  preparePython: () => Promise.resolve({}),
  async check({ modelDir }) {
    try {
      const model = await loadOnnx(join(modelDir, 'model.onnx'), { workers: 1 });
      await model.close();
      return undefined;
    } catch (error) {
      return error instanceof Error ? describeRefusal(error) : String(error);
    }
  },
};
