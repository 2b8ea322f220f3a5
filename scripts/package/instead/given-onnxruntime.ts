import { loadOnnxruntime } from './load-onnxruntime.ts';

const { ONNXRUNTIME } = process.env;

/** ONNX Runtime where the program that started this process has found it. */
export const { env, InferenceSession, Tensor } = loadOnnxruntime(ONNXRUNTIME, ONNXRUNTIME);
