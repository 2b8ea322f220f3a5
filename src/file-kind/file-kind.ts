import { asBinary } from './binary-text.ts';
import { type Row, ROWS, type Seen } from './rows.ts';
import { type FileEnds, zipNames } from './zip-names.ts';

const BLOCK = 512;

/** Bytes at the beginning of a file from which its kind is recognized. */
export const HEAD_BYTES = 65_536;
/** Bytes at the end, with the directory of a ZIP archive. */
export const TAIL_BYTES = 1_048_576;
const TEXT_BYTES = 8_192;
const GIVE =
  'give the folder of a SavedModel, a .keras, .h5, ONNX or TorchScript file, a model that XGBoost, LightGBM or CatBoost has saved, ' +
  'a pickle, or an archive that gzip has compressed';

/** Kinds of files that are recognized by their content. */
export type FileKind = keyof typeof ROWS;

const TABLE: readonly (readonly [string, Row])[] = Object.entries(ROWS);

/** Whether a text names a kind. */
function isKind(name: string | undefined): name is FileKind {
  return name !== undefined && Object.hasOwn(ROWS, name);
}

/** Kind of a file by its content, whatever its name is. */
export function fileKind(file: FileEnds): FileKind {
  const text = asBinary(file.head.subarray(0, TEXT_BYTES));
  const { names, isWhole } = zipNames(file) ?? { names: tarNames(file.head), isWhole: false };
  const seen: Seen = { ...file, text, names, isWhole };
  const found = TABLE.find(([, { is }]) => (is instanceof RegExp ? is.test(text) : is(seen)))?.[0];
  return isKind(found) ? found : 'unknown';
}

/** The row of a kind. */
export function rowOf(kind: FileKind): Row {
  return ROWS[kind];
}

/** Whether files of a kind hold a model, or what a model is made of. */
export function isOfModel(kind: FileKind): boolean {
  return rowOf(kind).model !== undefined;
}

/** Describes a file that was given as a model, and what to do with it. */
export function describeKind(kind: FileKind): { readonly what: string; readonly remedy: string } {
  const { what, model, types, remedy } = rowOf(kind);
  if (model !== undefined) return { what, remedy: model };
  return types === 'none' && remedy !== undefined
    ? { what, remedy }
    : { what: `${what}, and no model`, remedy: GIVE };
}

/** Names in a tar as far as its headers lie in its head; none for another file. */
function tarNames(head: Uint8Array): readonly string[] {
  const names: string[] = [];
  for (let at = 0; isHeader(head, at);) {
    const header = asBinary(head.subarray(at, at + BLOCK));
    names.push(/^[^\0]{0,100}/.exec(header)?.[0] ?? '');
    const size = Number.parseInt(header.slice(124, 136), 8);
    // A size of 8 GiB and more is no text, and a negative one would never end.
    if (!(size >= 0)) break;
    at += BLOCK * (1 + Math.ceil(size / BLOCK));
  }
  return names;
}

function isHeader(head: Uint8Array, at: number): boolean {
  return asBinary(head.subarray(at + 257, at + 262)) === 'ustar';
}
