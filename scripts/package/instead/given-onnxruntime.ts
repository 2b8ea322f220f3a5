import { createRequire } from 'node:module';

const { ONNXRUNTIME } = process.env;
if (ONNXRUNTIME === undefined)
  throw new Error(
    'ONNX Runtime, which runs models, is not installed: run "inferdrop parts install onnxruntime"',
  );

/** ONNX Runtime where the program that started this process has found it. */
export const {
  env,
  InferenceSession,
  Tensor,
}: Readonly<Record<'env' | 'InferenceSession' | 'Tensor', unknown>> = createRequire(ONNXRUNTIME)(ONNXRUNTIME);
