import { ROOT } from '../../../src/cli/root-folder.ts';
import { findPart } from '../../parts.mjs';
import { loadOnnxruntime } from './load-onnxruntime.ts';

/** ONNX Runtime from the project of the user, or the part in the user's cache. */
export const { env, InferenceSession, Tensor } = loadOnnxruntime(findPart('onnxruntime', ROOT));
