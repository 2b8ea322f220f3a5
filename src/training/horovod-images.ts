import type { TrainingFramework } from '../model/framework.ts';
import { compareVersions } from '../model/version-order.ts';

/** The last version of AWS's TensorFlow training images that has Horovod, for messages. */
export const LAST_WITH_HOROVOD = 'TensorFlow 2.12 (py310, Horovod 0.27.0)';

/**
 * Horovod in AWS's TensorFlow training images, from the given version of TensorFlow on.
 *
 * By the Dockerfiles of aws/sagemaker-tensorflow-training-toolkit and aws/deep-learning-containers. The first images of 1.15, 2.0 and 2.1
 * had 0.18.2; 2.7 has Horovod in the images for EC2 alone.
 */
const TENSORFLOW: readonly (readonly [from: string, horovod: string | null])[] = [
  ['0', null],
  ['1.12', 'of any version'],
  ['1.13', '0.16.4'],
  ['1.14', 'of any version'],
  ['1.15', '0.19.5'],
  ['2.0', '0.19.4'],
  ['2.2', '0.19.5'],
  ['2.4', '0.21.0'],
  ['2.5', '0.21.1'],
  ['2.6', '0.22.1'],
  ['2.7', null],
  ['2.8', '0.25.0'],
  ['2.9', '0.24.2'],
  ['2.10', '0.25.0'],
  ['2.11', '0.26.1'],
  ['2.12', '0.27.0'],
  ['2.13', null],
];

/** PyTorch's GPU images have it up to 2.0, its CPU images never; the versions of the oldest were not checked. */
const PYTORCH_GPU: typeof TENSORFLOW = [
  ['0', 'of any version'],
  ['2.1', null],
];

/** The version of Horovod in one of AWS's training images; null if it has none. */
export function horovodIn(framework: TrainingFramework, version: string, imageUri: string): string | null {
  if (framework === 'tensorflow') return newestUpTo(TENSORFLOW, version);
  return /-gpu(-|$)/.test(imageUri) ? newestUpTo(PYTORCH_GPU, version) : null;
}

function newestUpTo(table: typeof TENSORFLOW, version: string): string | null {
  return table.findLast(([from]) => compareVersions(from, version) <= 0)?.[1] ?? null;
}
