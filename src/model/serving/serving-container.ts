import type { FileKind } from '../../file-kind/file-kind.ts';
import type { RegistrySet } from '../image-registry.ts';
import type { ImageSettings } from '../onnx/image-settings.ts';
import type { ReadOnnx } from '../onnx/onnx-model.ts';
import type { ModelSignature } from '../read-signatures.ts';
import type { TorchScriptModes } from '../torchscript.ts';

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

/** Transform settings that an archive must suit. */
export interface ServedAs {
  readonly contentType: string;
  /** Framework version of the image; the newest images' rules count if it is left out. */
  readonly frameworkVersion?: string;
  /** Environment variables of the container. */
  readonly environment?: Readonly<Record<string, string>>;
  /** False if the container has a network to install packages from. */
  readonly networkIsolation: boolean;
  /** `model.images` of pipeline.json. */
  readonly images?: ImageSettings | null;
}

/** Facts about an archive's files beside their names. */
export interface ArchiveContents {
  /** Texts of the Python files directly in `code/`, by name; a very long one is left out. */
  readonly scripts: ReadonlyMap<string, string>;
  /** Model files that are recognized by their content. */
  readonly kinds: ReadonlyMap<string, FileKind>;
  /** Modes of the TorchScript files, or null for one that doesn't have its code in the end that is looked at. */
  readonly modes?: ReadonlyMap<string, TorchScriptModes | null>;
  /** Signatures of each `saved_model.pb` that could be read. */
  readonly signatures?: ReadonlyMap<string, readonly ModelSignature[]>;
  /** The `model.onnx` at the root. */
  readonly onnx?: ReadOnnx | null;
}

/** The transform settings that a container must support. */
export interface ContainerWork {
  readonly frameworkVersion: string;
  readonly invocationsTimeoutInSeconds: number;
  readonly maxPayloadInMB: number;
}

/** AWS's containers of a framework that serve models. */
export interface ServingContainer {
  readonly images: Readonly<Record<ImageScope, readonly ImageRow[]>>;
  /**
   * Day until which AWS patches each minor version; versions older than the first were not patched after its day.
   *
   * @see https://aws.github.io/deep-learning-containers/reference/support_policy
   */
  readonly patchedUntil: Readonly<Record<string, string>>;
  /** The first version for which the GPU of p2 is too old. */
  readonly firstBeyondP2: string;
  /** Reasons why it would not serve these files; each ends with the remedy. */
  layoutProblems(files: readonly string[], served: ServedAs, contents: ArchiveContents): string[];
  /** Whether it answers without a script of the archive's, by the model's signature, in JSON. */
  answersBySignature(files: readonly string[]): boolean;
  /** Environment variables that raise its own limits to the settings. */
  limits(work: ContainerWork): Record<string, string>;
}

/**
 * A row of these versions, separated by spaces.
 *
 * @__NO_SIDE_EFFECTS__ so that functions that choose no image are bundled without the tables.
 */
export function row(
  versions: string,
  repository: string,
  registries: RegistrySet,
  suffix?: string,
): ImageRow {
  return { versions: versions.split(' '), repository, registries, ...(suffix !== undefined && { suffix }) };
}
