import type { Framework } from './framework.ts';
import type { RegistrySet } from './image-registry.ts';

/** Versions that share repository, regions and the rest of the tag. */
export interface ImageRow {
  /** Full versions; `1.2` may stand for the newest `1.2.x` of all rows. */
  readonly versions: readonly string[];
  readonly repository: string;
  readonly registries: RegistrySet;
  /** Follows the processor in the tag. */
  readonly suffix?: string;
  /** Tags that follow no rule, by processor. */
  readonly tags?: Readonly<Record<string, string>>;
}

/** The hardware that an image was built for. */
export type ImageScope = 'inference' | 'graviton' | 'eia';

/**
 * AWS's inference containers, compacted from aws/sagemaker-python-sdk v2.257.6, src/sagemaker/image_uri_config; the rows of
 * TensorFlow 2.20 from aws/deep-learning-containers, docs of 2026-08, which the SDK does not know.
 * Where a version exists for several Pythons, `py3` is chosen.
 */
export const imageVersions: Readonly<Record<Framework, Readonly<Record<ImageScope, readonly ImageRow[]>>>> = {
  tensorflow: {
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
        ...row('2.20', 'tensorflow-inference', 'R5'),
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
  pytorch: {
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
};

function row(versions: string, repository: string, registries: RegistrySet, suffix?: string): ImageRow {
  return { versions: versions.split(' '), repository, registries, ...(suffix !== undefined && { suffix }) };
}
