import type { RegistrySet } from '../model/image-registry.ts';
import type { Processor } from '../model/instance-families.ts';
import { compareVersions } from '../model/version-order.ts';

/** AWS's training containers of a framework. */
export interface TrainingContainer {
  readonly images: readonly TrainingImageRow[];
  /** Endings of tags for p4d, because the CUDA of these versions doesn't support its GPUs (`image_uris._format_tag` of the SDK). */
  readonly p4dSuffixes: Readonly<Record<string, string>>;
  /** Hyperparameters that the SDK sends only for the framework, from the folder that the script saves its model in. */
  hyperparameters(modelDir: string): Readonly<Record<string, string>>;
  /** Why its hosts cannot work together in a way that others' can, by the key of `training.distribution`. */
  readonly refusedDistributions: Readonly<Partial<Record<Distribution, string>>>;
  /** The version from which on the SDK asks for metrics in SageMaker's own time series. */
  readonly timeSeriesSince: string;
  /** Version of Horovod in an image; null without Horovod. */
  horovod(version: string, imageUri: string): string | null;
}

/** Ways for hosts to work together that belong to one framework. */
type Distribution = 'parameterServer' | 'torchDistributed';

/** Versions that share repository, regions and Pythons. */
export interface TrainingImageRow {
  readonly versions: readonly string[];
  readonly repository: string;
  readonly registries: RegistrySet;
  /** Pythons, oldest first. */
  readonly pyVersions: readonly string[];
  /** Tags that follow no rule, by processor. */
  readonly tags?: Readonly<Partial<Record<Processor, string>>>;
}

/** A row of these versions and Pythons, separated by spaces. */
export function row(
  versions: string,
  repository: string,
  registries: RegistrySet,
  pyVersions: string,
): TrainingImageRow {
  return { versions: versions.split(' '), repository, registries, pyVersions: pyVersions.split(' ') };
}

/** Horovod of a version, from a table of the versions with which it changed, the oldest first. */
export function horovodFrom(
  table: readonly (readonly [from: string, horovod: string | null])[],
  version: string,
): string | null {
  return table.findLast(([from]) => compareVersions(from, version) <= 0)?.[1] ?? null;
}
