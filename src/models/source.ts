import type { FileKind } from '../file-kind/file-kind.ts';
import type { Framework } from '../frameworks/framework-name.ts';
import type { ImageSettings } from '../frameworks/onnx/image-settings.ts';

/** A model as ONNX, with the facts that its file has. */
export interface Converted {
  readonly onnx: Uint8Array;
  /** Its library and version, such as `XGBoost 3.2.0`. */
  readonly library: string;
  /** The model in words: `XGBoost 3.2.0, 412 trees of 640`. */
  readonly what: string;
  /** Names of the columns in order, if the file has them. */
  readonly columns: readonly string[] | undefined;
  /** Names of the classes in order, if the file has them. */
  readonly classes: readonly string[] | undefined;
  readonly task: 'classification' | 'regression';
  /** Preprocessing of its images, if its files say it. */
  readonly images?: ImageSettings | undefined;
  /** Sentences for a person. */
  readonly notes: readonly string[];
}

/** Converts the content of a file; its name is for messages. */
export type Convert = (bytes: Uint8Array, file: string) => Converted | { readonly refused: string };

/** A model that holds a program, looked at without running it. */
export interface ForPython {
  /** The model in words: `scikit-learn 1.9.1: Pipeline`. */
  readonly what: string;
  /** The script that converts it: MODEL, SAMPLE and FOLDER are its arguments. */
  readonly script: string;
  /** Packages that the script needs, as pip takes them. */
  readonly packages: readonly string[];
  /** A reason not to run it unasked: "import os.system, which no model needs". */
  readonly strange: string | undefined;
  /** Preprocessing of its images, if it takes images. */
  readonly images?: ImageSettings;
  /** Names of its classes in order, if its files have them. */
  readonly classes?: readonly string[] | undefined;
}

/** Looks at the content of a file; the words of a refusal follow its name. */
export type Look = (bytes: Uint8Array) => ForPython | { readonly refused: string };

/** Ways of a file into an archive. */
export type Door =
  /** A framework's container serves it as it is. */
  | { readonly kind: 'served'; readonly framework: Framework }
  /** It's converted here; the converter is loaded when a model is opened. */
  | { readonly kind: 'converted'; readonly load: () => Promise<Convert> }
  /** The Python that made it converts it. */
  | { readonly kind: 'python'; readonly look: Look }
  /** An archive, in which there is a model. */
  | { readonly kind: 'unpacked' }
  /** A Python with its library exports it as a model that's served. */
  | { readonly kind: 'exported'; readonly look: Look };

/**
 * A kind of file that becomes a served model. `ROWS` of file-kind recognizes it by its content, and has a
 * remedy for kinds that no source takes.
 */
export interface ModelSource {
  readonly kinds: readonly FileKind[];
  readonly door: Door;
}
