import type { TrainingRequest } from '@inferdrop/training-container/training-request';

const FRAMEWORKS: ReadonlyMap<string, TrainingRequest['framework']> = new Map([
  ['tensorflow-training', 'tensorflow'],
  ['sagemaker-tensorflow', 'tensorflow'],
  ['sagemaker-tensorflow-scriptmode', 'tensorflow'],
  ['pytorch-training', 'pytorch'],
  ['sagemaker-pytorch', 'pytorch'],
]);

/** The framework of a training image, by its repository's name alone; undefined for one that this stack cannot run. */
export function frameworkOf(image: string): TrainingRequest['framework'] | undefined {
  return FRAMEWORKS.get(image.slice(image.indexOf('/') + 1).replace(/[:@].*$/s, ''));
}

/** Repositories of the images that this stack runs. */
export const TRAINING_REPOSITORIES: readonly string[] = [...FRAMEWORKS.keys()];
