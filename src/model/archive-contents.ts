import type { FileKind } from '../file-kind/file-kind.ts';
import type { ReadOnnx } from './onnx/onnx-model.ts';
import type { ModelSignature } from './read-signatures.ts';
import type { TorchScriptModes } from './torchscript.ts';

/** Facts about an archive's files in addition to their names. */
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
