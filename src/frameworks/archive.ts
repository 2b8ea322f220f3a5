import type { ImageGeneration } from '@inferdrop/model-container/internal/image-generation';
import type { AddedFile } from '../model/append-to-tar.ts';
import type { ArchiveContents } from '../model/archive-contents.ts';
import type { ModelSignature } from '../model/read-signatures.ts';
import type { ImageSettings } from './onnx/image-settings.ts';

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

/** An archive's files, by names and contents. */
export interface ArchiveFiles extends ArchiveContents {
  readonly files: readonly string[];
}

/** Facts about a model's answers that are known before any job. */
export interface AnsweringModel {
  /** The signature that answers requests which name none; undefined if there is none, or it is not known. */
  readonly signature: ModelSignature | undefined;
  readonly signatures?: readonly ModelSignature[] | 'unread';
  /** How the container turns requests into the model's, if it does. */
  readonly generation?: ImageGeneration;
  /** True if no `code/inference.py` stands between the signature and the answer. */
  readonly isPlain: boolean;
  /** True if the answer is made of the signature's outputs, by whatever reads the request. */
  readonly answersOutputs: boolean;
  /** Classes that the model itself names, in the order of its scores; null if it names none. */
  readonly classes: readonly string[] | null;
}

/** A framework's rules about archives. */
export interface ArchiveRules {
  /** Whether it serves an archive that names no framework. */
  serves(archive: Pick<ArchiveFiles, 'files' | 'scripts'>): boolean;
  /** Reasons why its container would not serve these files; each ends with the remedy. */
  layoutProblems(files: readonly string[], served: ServedAs, contents: ArchiveContents): string[];
  /** Facts about the answers of its container. */
  answering(
    archive: Pick<ArchiveFiles, 'files' | 'signatures' | 'onnx'>,
    model: Required<Pick<ServedAs, 'frameworkVersion' | 'environment'>>,
  ): AnsweringModel;
  /** Files that inferdrop adds to an archive without a handler; none if the container needs none. */
  ownHandler(files: readonly string[]): readonly AddedFile[];
  /** A file that the container serves without a handler of the archive's; null if `ownHandler` adds one. */
  readonly plainModel: string | null;
  /** Why a function can't run the scripts of an archive; each reason names the change to make. */
  functionProblems(archive: Pick<ArchiveFiles, 'files' | 'scripts'>): readonly string[];
}
