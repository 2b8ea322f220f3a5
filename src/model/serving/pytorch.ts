import { type ContainerWork, row, type ServingContainer } from './serving-container.ts';

/** TorchServe. */
export const pytorch: ServingContainer = {
  images: {
    inference: [
      row('0.4.0 1.0.0 1.1.0', 'sagemaker-pytorch', 'R1', 'py3'),
      row('1.2.0 1.3.1 1.4.0 1.5.0 1.6.0 1.7.1 1.8.0 1.8.1', 'pytorch-inference', 'R3', 'py3'),
      row('1.9.0 1.9.1 1.10.0 1.10.2 1.11.0 1.12.0 1.12.1', 'pytorch-inference', 'R3', 'py38'),
      row('1.13.1', 'pytorch-inference', 'R3', 'py39'),
      row('2.0.0 2.0.1', 'pytorch-inference', 'R3', 'py310'),
      row('2.1.0 2.2.0', 'pytorch-inference', 'R4', 'py310'),
      row('2.3.0 2.4.0 2.5.1', 'pytorch-inference', 'R5', 'py311'),
      row('2.6.0', 'pytorch-inference', 'R5', 'py312'),
    ],
    graviton: [
      row('1.12.1', 'pytorch-inference-graviton', 'R3', 'py38-ubuntu20.04-sagemaker'),
      row('2.0.0 2.0.1 2.1.0 2.2.1', 'pytorch-inference-graviton', 'R5', 'py310-ubuntu20.04-sagemaker'),
      row('2.3.0', 'pytorch-inference-graviton', 'R5', 'py311-ubuntu20.04-sagemaker'),
      row('2.4.0', 'pytorch-inference-graviton', 'R5', 'py311-ubuntu22.04-sagemaker'),
    ],
    eia: [
      row('1.3.1', 'pytorch-inference-eia', 'R6', 'py3'),
      row('1.5.1', 'pytorch-inference-eia', 'R7', 'py3'),
    ],
  },
  firstBeyondP2: '1.13',
  layoutProblems,
  limits,
};

function layoutProblems(files: readonly string[]): string[] {
  const atRoot = files.some((name) => /^[^/]+\.(pt|pth)$/.test(name));
  if (atRoot || files.includes('code/inference.py')) return [];
  const nested = files.find((name) => /\.(pt|pth)$/.test(name) || name.endsWith('code/inference.py'));
  if (nested !== undefined)
    return [
      `has ${nested}, but the container looks at the root: pack without a wrapping folder (tar czf model.tar.gz -C FOLDER .)`,
    ];
  return [
    'has neither model.pth at its root nor code/inference.py: the container would have nothing to serve',
  ];
}

/** TorchServe's own limit of a request and of an answer, in bytes. */
const TORCHSERVE_DEFAULT_BYTES = 6_553_500;
const MEBIBYTE = 1024 * 1024;

function limits({ invocationsTimeoutInSeconds, maxPayloadInMB }: ContainerWork): Record<string, string> {
  const bytes = String(Math.max(TORCHSERVE_DEFAULT_BYTES, maxPayloadInMB * MEBIBYTE));
  return {
    SAGEMAKER_MODEL_SERVER_TIMEOUT: String(invocationsTimeoutInSeconds),
    TS_MAX_REQUEST_SIZE: bytes,
    TS_MAX_RESPONSE_SIZE: bytes,
  };
}
