import type { TrainingRequest } from '@inferdrop/training-container/training-request';

/** Promises of an image to its script, by its name alone. */
export interface TrainingImage {
  readonly framework: TrainingRequest['framework'];
  /** `2.12` or `1.15.2`, of the framework; undefined for a digest or another tag. */
  readonly version?: string;
}

const FRAMEWORKS: ReadonlyMap<string, TrainingRequest['framework']> = new Map([
  ['tensorflow-training', 'tensorflow'],
  ['sagemaker-tensorflow', 'tensorflow'],
  ['sagemaker-tensorflow-scriptmode', 'tensorflow'],
  ['pytorch-training', 'pytorch'],
  ['sagemaker-pytorch', 'pytorch'],
]);

/** Framework and version of a training image; undefined for one that this stack cannot run. */
export function parseTrainingImage(image: string): TrainingImage | undefined {
  const name = image.slice(image.indexOf('/') + 1);
  const framework = FRAMEWORKS.get(name.replace(/[:@].*$/s, ''));
  if (framework === undefined) return undefined;
  const version = /:(\d+(?:\.\d+)+)(?:-|@|$)/.exec(name)?.[1];
  return { framework, ...(version !== undefined && { version }) };
}

/** Repositories of the images that this stack runs. */
export const TRAINING_REPOSITORIES: readonly string[] = [...FRAMEWORKS.keys()];
