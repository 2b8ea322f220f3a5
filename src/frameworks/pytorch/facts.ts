import { row } from '../../model/image-registry.ts';
import { compareVersions } from '../../model/version-order.ts';
import type { AskedForBundles, ContainerWork, FrameworkFacts } from '../framework.ts';

/** TorchServe. */
export const pytorch: FrameworkFacts = {
  containerOf: 'pytorch',
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
  // Extended for 1.13, the last 1.x, and for 2.6, the last with TorchServe.
  patchedUntil: {
    '1.13': '2024-10-28',
    '2.0': '2024-03-15',
    '2.1': '2024-10-04',
    '2.2': '2025-01-30',
    '2.3': '2025-04-24',
    '2.4': '2025-07-24',
    '2.5': '2025-10-29',
    '2.6': '2026-06-30',
  },
  firstBeyondP2: '1.13',
  limits,
  whyNoBundles,
  installs: null,
  inFunctions: { remedy: 'export the model (torch.onnx.export)' },
};

/** TorchServe came with it; the images before have another server and older toolkits. */
const FIRST_WITH_BUNDLES = '1.6';

function whyNoBundles({ frameworkVersion, environment }: AskedForBundles): string | undefined {
  if (compareVersions(frameworkVersion, FIRST_WITH_BUNDLES) < 0)
    return `model.frameworkVersion is ${JSON.stringify(frameworkVersion)}, and bundles go to PyTorch ${FIRST_WITH_BUNDLES} and later`;
  const program = environment['SAGEMAKER_PROGRAM'] ?? 'inference.py';
  return program === 'inference.py'
    ? undefined
    : `model.environment.SAGEMAKER_PROGRAM names ${program}, and the handler for bundles is an inference.py`;
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
