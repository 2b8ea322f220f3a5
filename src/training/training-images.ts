import type { TrainingFramework } from '../model/framework.ts';
import type { RegistrySet } from '../model/image-registry.ts';
import type { Processor } from '../model/instance-families.ts';

/** Versions that share repository, regions and Pythons. */
interface TrainingImageRow {
  readonly versions: readonly string[];
  readonly repository: string;
  readonly registries: RegistrySet;
  /** Pythons, oldest first. */
  readonly pyVersions: readonly string[];
  /** Tags that follow no rule, by processor. */
  readonly tags?: Readonly<Partial<Record<Processor, string>>>;
}

/**
 * AWS's training containers, compacted from aws/sagemaker-python-sdk v2.257.6, src/sagemaker/image_uri_config; TensorFlow 2.21 from
 * aws/deep-learning-containers of 2026-08, which the SDK does not know; PyTorch 1.5.1, which is in SDK 1.72 but not in SDK 2.
 */
export const TRAINING_IMAGES: Readonly<Record<TrainingFramework, readonly TrainingImageRow[]>> = {
  tensorflow: [
    row('1.4.1 1.5.0 1.6.0 1.7.0 1.8.0 1.9.0 1.10.0', 'sagemaker-tensorflow', 'R1', 'py2'),
    row('1.11.0 1.12.0', 'sagemaker-tensorflow-scriptmode', 'R1', 'py2 py3'),
    row('1.13.1', 'sagemaker-tensorflow-scriptmode', 'R1', 'py2'),
    row('1.13.1', 'tensorflow-training', 'R2', 'py3'),
    row('1.14.0 1.15.0', 'tensorflow-training', 'R3', 'py2 py3'),
    row('1.15.2 1.15.3', 'tensorflow-training', 'R3', 'py2 py3 py37'),
    row('1.15.4 1.15.5', 'tensorflow-training', 'R3', 'py3 py36 py37'),
    row('2.0.0 2.0.1 2.0.2', 'tensorflow-training', 'R3', 'py2 py3'),
    row('2.0.3 2.0.4', 'tensorflow-training', 'R3', 'py3 py36'),
    row('2.1.0 2.1.1', 'tensorflow-training', 'R3', 'py2 py3'),
    row('2.1.2 2.1.3', 'tensorflow-training', 'R3', 'py3 py36'),
    row('2.2.0 2.2.1 2.2.2 2.3.0 2.3.1 2.3.2 2.4.1 2.4.3 2.5.0 2.5.1', 'tensorflow-training', 'R3', 'py37'),
    row('2.6.0 2.6.2 2.6.3 2.7.1', 'tensorflow-training', 'R3', 'py38'),
    row('2.8.0 2.9.2 2.10.1 2.11.0', 'tensorflow-training', 'R3', 'py39'),
    row('2.12.0', 'tensorflow-training', 'R5', 'py310'),
    row('2.13.0 2.14.1', 'tensorflow-training', 'R4', 'py310'),
    row('2.16.2 2.18.0', 'tensorflow-training', 'R5', 'py310'),
    row('2.19.0', 'tensorflow-training', 'R5', 'py312'),
    {
      ...row('2.21', 'tensorflow-training', 'R5', 'py312'),
      tags: {
        cpu: '2.21-cpu-py312-amzn2023-sagemaker-v1',
        gpu: '2.21-gpu-py312-cu129-amzn2023-sagemaker-v1',
      },
    },
  ],
  pytorch: [
    row('0.4.0 1.0.0 1.1.0', 'sagemaker-pytorch', 'R1', 'py2 py3'),
    row('1.2.0 1.3.1', 'pytorch-training', 'R3', 'py2 py3'),
    row('1.4.0', 'pytorch-training', 'R3', 'py2 py3 py36'),
    row('1.5.0 1.5.1 1.6.0 1.7.1 1.8.0 1.8.1', 'pytorch-training', 'R3', 'py3 py36'),
    row('1.9.0 1.9.1 1.10.0 1.10.2 1.11.0 1.12.0 1.12.1', 'pytorch-training', 'R3', 'py38'),
    row('1.13.1', 'pytorch-training', 'R3', 'py39'),
    row('2.0.0 2.0.1', 'pytorch-training', 'R3', 'py310'),
    row('2.1.0 2.2.0', 'pytorch-training', 'R4', 'py310'),
    row('2.3.0', 'pytorch-training', 'R4', 'py311'),
    row('2.4.0 2.5.1', 'pytorch-training', 'R5', 'py311'),
    row('2.6.0 2.7.1 2.8.0', 'pytorch-training', 'R5', 'py312'),
  ],
};

/** Endings of the tags for p4d, whose GPUs the CUDA of these versions does not support (`image_uris._format_tag` of the SDK). */
export const P4D_SUFFIXES: ReadonlyMap<string, string> = new Map([
  ['tensorflow-2.3-gpu-py37', 'cu110-ubuntu18.04-v3'],
  ['tensorflow-2.3.1-gpu-py37', 'cu110-ubuntu18.04'],
  ['tensorflow-2.3.2-gpu-py37', 'cu110-ubuntu18.04'],
  ['tensorflow-1.15-gpu-py37', 'cu110-ubuntu18.04-v8'],
  ['tensorflow-1.15.4-gpu-py37', 'cu110-ubuntu18.04'],
  ['tensorflow-1.15.5-gpu-py37', 'cu110-ubuntu18.04'],
  ['pytorch-1.6-gpu-py36', 'cu110-ubuntu18.04-v3'],
  ['pytorch-1.6.0-gpu-py36', 'cu110-ubuntu18.04'],
  ['pytorch-1.6-gpu-py3', 'cu110-ubuntu18.04-v3'],
  ['pytorch-1.6.0-gpu-py3', 'cu110-ubuntu18.04'],
]);

function row(
  versions: string,
  repository: string,
  registries: RegistrySet,
  pyVersions: string,
): TrainingImageRow {
  return { versions: versions.split(' '), repository, registries, pyVersions: pyVersions.split(' ') };
}
