import type { TrainingFramework } from './framework-name.ts';
import { pytorch } from './pytorch/training.ts';
import { tensorflow } from './tensorflow/training.ts';
import type { TrainingContainer } from './training.ts';

/** AWS's training containers, compacted from aws/sagemaker-python-sdk v2.257.6, src/sagemaker/image_uri_config. */
export const TRAINING: Readonly<Record<TrainingFramework, TrainingContainer>> = { tensorflow, pytorch };

/** The last version of AWS's TensorFlow training images that has Horovod, for messages. */
export const LAST_WITH_HOROVOD = 'TensorFlow 2.12 (py310, Horovod 0.27.0)';
