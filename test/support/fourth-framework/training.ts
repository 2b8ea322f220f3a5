import { row, type TrainingContainer } from '../../../src/frameworks/training.ts';

/** AWS's container that trains trees. */
export const trees: TrainingContainer = {
  images: [row('1.7-1', 'sagemaker-xgboost', 'R1', 'py3')],
  p4dSuffixes: {},
  hyperparameters: () => ({}),
  refusedDistributions: { torchDistributed: 'must be null for trees' },
  timeSeriesSince: '1.0',
  horovod: () => null,
};
