import type { Inspection } from '../inspection.ts';

/** Models run in onnxruntime; a handler of the archive's own needs PyTorch. */
export const onnx: Inspection = {
  runs({ onnx: model, handler }, toInstall) {
    if (handler.script !== null)
      return [
        `model and handler: in PyTorch; they run as you: use archives that you trust (${toInstall('pytorch')}); ` +
          `inferdrop's own handler needs no Python`,
      ];
    if (model === null) return ['model: none that can be served'];
    return [
      model.refused === null
        ? 'model: in onnxruntime, no Python needed; on AWS in the PyTorch container, with a handler that inferdrop adds'
        : `model: not in onnxruntime: ${model.refused}`,
    ];
  },
  served: () => null,
  unmeasured: null,
};
