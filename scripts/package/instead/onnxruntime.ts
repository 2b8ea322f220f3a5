import { createRequire } from 'node:module';
import { ROOT } from '../../../src/cli/root-folder.ts';
import { findPart } from '../../parts.mjs';

const anchor = findPart('onnxruntime', ROOT);
if (anchor === undefined)
  throw new Error(
    'ONNX Runtime, which runs models, is not installed: run "inferdrop parts install onnxruntime"',
  );

/** ONNX Runtime from the project of the user, or the part in the user's cache. */
export const {
  env,
  InferenceSession,
  Tensor,
}: Readonly<Record<'env' | 'InferenceSession' | 'Tensor', unknown>> =
  createRequire(anchor)('onnxruntime-node');
