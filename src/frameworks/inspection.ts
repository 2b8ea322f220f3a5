import type { TorchScriptModes } from '../model/torchscript.ts';
import type { ArchiveFiles } from './archive.ts';
import type { TrainingFramework } from './framework-name.ts';

/** Script of an archive, and the packages that it brings or asks for. */
export interface InspectedHandler {
  readonly script: string | null;
  readonly requirements: readonly string[];
  readonly hasLib: boolean;
}

/** An archive's models and scripts, as they were tried on this machine. */
export interface TriedArchive {
  readonly models: readonly {
    /** Why a model can't be read. */
    readonly damage: string | null;
    readonly signatures: readonly {
      readonly unsupported: readonly string[];
      /** Remedies other than a run in TensorFlow. */
      readonly remedy: string | null;
      readonly untried: string | null;
    }[];
  }[];
  readonly handler: InspectedHandler;
  /** Why onnxruntime does not take the model.onnx; null if there is none that can be read. */
  readonly onnx: { readonly refused: string | null } | null;
  readonly scripts: {
    readonly refused: readonly { readonly text: string; readonly alternative: string }[];
    readonly remarks: readonly string[];
  };
  readonly modes: ReadonlyMap<string, TorchScriptModes | null>;
}

/** Sentences of `model inspect` and `init` about a framework's models on this machine. */
export interface Inspection {
  /**
   * Where the models and the handler of an archive run, in sentences.
   *
   * @param toInstall whether an environment is installed, or the command that installs it
   */
  runs(archive: TriedArchive, toInstall: (name: TrainingFramework) => string): string[];
  /** Model, version and signature that answer requests which name none; null if there are none, or no such names. */
  served(archive: ArchiveFiles): string | null;
  /** The part of such a model that `init` doesn't run without a handler, and how a labeled run does; null if it runs the model. */
  readonly unmeasured: readonly [what: string, how: string] | null;
}
