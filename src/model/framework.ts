import * as z from 'zod';
import { onnx } from './serving/onnx.ts';
import { pytorch } from './serving/pytorch.ts';
import type { ServingContainer } from './serving/serving-container.ts';
import { tensorflow } from './serving/tensorflow.ts';

/** Frameworks whose models AWS's inference containers serve; those of onnx run in the containers of PyTorch. */
export const Framework = z.enum(['tensorflow', 'pytorch', 'onnx']);
export type Framework = z.infer<typeof Framework>;

/** Those of them whose training containers it supports too. */
export const TrainingFramework = Framework.extract(['tensorflow', 'pytorch']);
export type TrainingFramework = z.infer<typeof TrainingFramework>;

/**
 * Their inference containers, compacted from aws/sagemaker-python-sdk v2.257.6, src/sagemaker/image_uri_config. Where a version
 * exists for several Pythons, `py3` is chosen.
 */
export const SERVING: Readonly<Record<Framework, ServingContainer>> = { tensorflow, pytorch, onnx };
