import {
  FRAMEWORK_NAMES,
  type FrameworkName,
  FRAMEWORKS,
} from '@inferdrop/training-container/internal/frameworks';

/** Promises of an image to its script, derived only from its name. */
export interface TrainingImage {
  readonly framework: FrameworkName;
  /** `2.12` or `1.15.2`, of the framework; undefined for a digest or another tag. */
  readonly version?: string;
}

/** Framework and version of a training image; undefined for one that this stack cannot run. */
export function parseTrainingImage(image: string): TrainingImage | undefined {
  const name = image.slice(image.indexOf('/') + 1);
  const repository = name.replace(/[:@].*$/s, '');
  const framework = FRAMEWORK_NAMES.find((one) => FRAMEWORKS[one].repositories.includes(repository));
  if (framework === undefined) return undefined;
  const version = /:(\d+(?:\.\d+)+)(?:-|@|$)/.exec(name)?.[1];
  return { framework, ...(version !== undefined && { version }) };
}

/** Repositories of the images that this stack runs. */
export const TRAINING_REPOSITORIES: readonly string[] = Object.values(FRAMEWORKS).flatMap(
  ({ repositories }) => repositories,
);
