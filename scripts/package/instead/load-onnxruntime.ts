import { createRequire } from 'node:module';

/** ONNX Runtime, from a file next to which it is found, by its name or by its own file. */
export function loadOnnxruntime(
  anchor: string | undefined,
  name = 'onnxruntime-node',
): Readonly<Record<'env' | 'InferenceSession' | 'Tensor', unknown>> {
  if (anchor !== undefined) return createRequire(anchor)(name);
  throw new Error(
    'ONNX Runtime, which runs models, is not installed: run "inferdrop parts install onnxruntime"',
  );
}
