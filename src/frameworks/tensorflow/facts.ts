import { row } from '../../model/image-registry.ts';
import type { ContainerWork, FrameworkFacts } from '../framework.ts';

/** TensorFlow Serving behind nginx and gunicorn. The rows of 2.20 are from aws/deep-learning-containers, docs of 2026-08. */
export const tensorflow: FrameworkFacts = {
  containerOf: 'tensorflow',
  images: {
    inference: [
      row('1.4.1 1.5.0 1.6.0 1.7.0 1.8.0 1.9.0 1.10.0', 'sagemaker-tensorflow', 'R1', 'py2'),
      row('1.11.0 1.12.0', 'sagemaker-tensorflow-serving', 'R1'),
      row(
        '1.13.0 1.14.0 1.15.0 1.15.2 1.15.3 1.15.4 1.15.5 2.0.0 2.0.1 2.0.2 2.0.3 2.0.4 2.1.0 2.1.1 2.1.2 2.1.3 2.2.0 2.2.1 2.2.2 ' +
          '2.3.0 2.3.1 2.3.2 2.4.1 2.4.3 2.5.1 2.6.0 2.6.3 2.7.0 2.8.0 2.8.4 2.9.2 2.9.3 2.10.0 2.10.1 2.11.0 2.11.1 2.12.1',
        'tensorflow-inference',
        'R3',
      ),
      row('2.13.0 2.14.1', 'tensorflow-inference', 'R4'),
      row('2.16.1 2.18.0 2.19.0', 'tensorflow-inference', 'R5'),
      {
        versions: ['2.20'],
        repository: 'tensorflow-inference',
        registries: 'R5',
        tags: {
          cpu: '2.20-cpu-py312-amzn2023-sagemaker-v1',
          gpu: '2.20-gpu-py312-cu129-amzn2023-sagemaker-v1',
        },
      },
    ],
    graviton: [
      row('2.9.1', 'tensorflow-inference-graviton', 'R3', 'py38-ubuntu20.04-sagemaker'),
      row('2.12.1 2.13.0 2.14.1', 'tensorflow-inference-graviton', 'R3', 'py310-ubuntu20.04-sagemaker'),
      row('2.16.1', 'tensorflow-inference-graviton', 'R5', 'py310-ubuntu20.04-sagemaker'),
    ],
    eia: [
      row('1.10.0', 'sagemaker-tensorflow-eia', 'R1', 'py2'),
      row('1.11.0 1.12.0 1.13.0', 'sagemaker-tensorflow-serving-eia', 'R1'),
      row('1.14.0 1.15.0 2.0.0 2.3.0', 'tensorflow-inference-eia', 'R2'),
    ],
  },
  patchedUntil: {
    '2.14': '2024-09-26',
    '2.16': '2025-03-07',
    '2.18': '2025-10-24',
    '2.19': '2026-03-11',
    '2.20': '2027-08-20',
  },
  firstBeyondP2: '2.12',
  limits,
  whyNoBundles: () => undefined,
  installs: null,
  inFunctions: { runsScripts: true },
};

function limits({ invocationsTimeoutInSeconds, frameworkVersion }: ContainerWork): Record<string, string> {
  const seconds = String(invocationsTimeoutInSeconds);
  const [major = 0, minor = 0] = frameworkVersion.split('.').map(Number);
  return {
    SAGEMAKER_GUNICORN_TIMEOUT_SECONDS: seconds,
    SAGEMAKER_NGINX_PROXY_READ_TIMEOUT_SECONDS: seconds,
    // From 2.20 on it also bounds each request to TensorFlow Serving; before, only the duration of start-up.
    ...((major > 2 || (major === 2 && minor >= 20)) && {
      SAGEMAKER_TFS_WAIT_TIME_SECONDS: String(Math.max(60, invocationsTimeoutInSeconds)),
    }),
  };
}
