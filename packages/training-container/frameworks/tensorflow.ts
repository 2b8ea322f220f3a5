import type { Framework } from './framework.ts';

/** The first TensorFlow with Keras 3, which no longer takes `model.save(folder)` and models of Keras 2. */
const KERAS_3 = { major: 2, minor: 16 } as const;

/** TensorFlow in AWS's training images. */
export const tensorflow: Framework = {
  title: 'TensorFlow',
  repositories: ['tensorflow-training', 'sagemaker-tensorflow', 'sagemaker-tensorflow-scriptmode'],
  packages: ['tensorflow', 'tensorflow-cpu', 'tensorflow-macos', 'tensorflow-gpu'],
  module: 'sagemaker_tensorflow_container.training:main',
  mpiEngine: 'tensorflow-horovod',
  missing: { sagemaker_torch_distributed_enabled: 'the TensorFlow container has no torchrun' },
  instead: 'use mpi, parameter_server or multi_worker_mirrored_strategy',
  // Classes of tensorflow.python.framework.errors_impl.
  errors:
    `AbortedError AlreadyExistsError CancelledError DataLossError DeadlineExceededError FailedPreconditionError
    InaccessibleTensorError InternalError InvalidArgumentError NotFoundError OpError OperatorNotAllowedInGraphError OutOfRangeError PermissionDeniedError ResourceExhaustedError
    UnauthenticatedError UnavailableError UnimplementedError UnknownError XlaRuntimeError`.split(/\s+/),
  variables({ environment }) {
    const endpoint = environment['AWS_ENDPOINT_URL'];
    if (endpoint === undefined) return { TF_CPP_MIN_LOG_LEVEL: '1' };
    // TensorFlow 1 and tensorflow-io read s3:// themselves; they know no AWS_ENDPOINT_URL.
    const { host, protocol } = new URL(endpoint);
    const https = protocol === 'https:' ? '1' : '0';
    return { TF_CPP_MIN_LOG_LEVEL: '1', S3_ENDPOINT: host, S3_USE_HTTPS: https, S3_VERIFY_SSL: https };
  },
  legacy: {
    package: 'tf-keras',
    remark: 'with Keras 2 as in the image',
    variables: ({ asked, found }) =>
      hasKeras3(asked) === false && hasKeras3(found) === true ? { TF_USE_LEGACY_KERAS: '1' } : {},
  },
};

function hasKeras3(version: string | undefined): boolean | undefined {
  if (version === undefined) return undefined;
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > KERAS_3.major || (major === KERAS_3.major && minor >= KERAS_3.minor);
}
