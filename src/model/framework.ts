import type { Framework } from './framework-name.ts';
import { onnx } from './serving/onnx.ts';
import { pytorch } from './serving/pytorch.ts';
import type { ServingContainer } from './serving/serving-container.ts';
import { tensorflow } from './serving/tensorflow.ts';

/**
 * Their inference containers, compacted from aws/sagemaker-python-sdk v2.257.6, src/sagemaker/image_uri_config. Where a version
 * exists for several Pythons, `py3` is chosen.
 */
export const SERVING: Readonly<Record<Framework, ServingContainer>> = { tensorflow, pytorch, onnx };
