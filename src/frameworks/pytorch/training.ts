import { horovodFrom, row, type TrainingContainer } from '../training.ts';

/** The GPU images have Horovod up to 2.0, the CPU images never; the versions of the oldest were not checked. */
const HOROVOD_GPU = [
  ['0', 'of any version'],
  ['2.1', null],
] as const;

/** PyTorch's training containers; 1.5.1 is in SDK 1.72 but not in SDK 2. */
export const pytorch: TrainingContainer = {
  images: [
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
  p4dSuffixes: {
    '1.6-gpu-py36': 'cu110-ubuntu18.04-v3',
    '1.6.0-gpu-py36': 'cu110-ubuntu18.04',
    '1.6-gpu-py3': 'cu110-ubuntu18.04-v3',
    '1.6.0-gpu-py3': 'cu110-ubuntu18.04',
  },
  hyperparameters: () => ({}),
  refusedDistributions: {
    parameterServer: "must be null, mpi or torchDistributed for pytorch: parameter servers are TensorFlow's",
  },
  timeSeriesSince: '1.3',
  horovod: (version, imageUri) => (/-gpu(-|$)/.test(imageUri) ? horovodFrom(HOROVOD_GPU, version) : null),
};
