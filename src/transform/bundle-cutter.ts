import type { BundleBounds, BundleForm } from './request-limits.ts';

/** A bundle of neighbors of a list. */
export interface CutBundle {
  /** 0, 1, 2, … */
  readonly bundle: number;
  /** Bytes of the list, `end` exclusive. */
  readonly start: number;
  readonly end: number;
  readonly inputs: number;
  /** Bytes that the inputs take in the bundle. */
  readonly bytes: number;
  /** Names of its first and its last input. */
  readonly first: string;
  readonly last: string;
}

/** Blocks of a tar. */
const BLOCK_BYTES = 512;
/** Bytes of the rest of a bundle: the file that says what its inputs are, and the end of the tar, two blocks of zeros. */
const END_BYTES = 8 * BLOCK_BYTES;

/** Bytes that an input takes in a tar: a header, and its content in whole blocks. */
function tarredBytes(sizeBytes: number): number {
  return BLOCK_BYTES + Math.ceil(sizeBytes / BLOCK_BYTES) * BLOCK_BYTES;
}

/** Bytes that an input takes in a bundle. A JSON text is counted with a backslash before each character. */
const BYTES_IN: Readonly<Record<BundleForm, (sizeBytes: number) => number>> = {
  list: (sizeBytes) => sizeBytes,
  tar: tarredBytes,
  records: (sizeBytes) => 2 * sizeBytes + 3,
  lines: (sizeBytes) => sizeBytes + 1,
};
/** How much longer the bundle may get: JSON writes a control character as six. */
const LENGTHENING: Readonly<Record<BundleForm, number>> = { list: 1, tar: 1, records: 3, lines: 1 };

/** Bytes of the longest bundle for inputs of at most this size. */
export function largestBundleBytes({ form, bytes }: BundleBounds, largestInputBytes: number): number {
  return LENGTHENING[form] * Math.max(bytes, BYTES_IN[form](largestInputBytes)) + END_BYTES;
}

/** Bytes of the largest input that fits into a bundle of this size. */
export function largestBundled(form: BundleForm, bundleBytes: number): number {
  const room = bundleBytes - END_BYTES - 2 * BLOCK_BYTES;
  return Math.max(1, form === 'records' ? Math.floor(room / (2 * LENGTHENING[form])) : room);
}

/** Inputs of at most this size that fit into one bundle for certain. */
export function inputsOfBundle({ form, inputs, bytes }: BundleBounds, largestInputBytes: number): number {
  return Math.max(1, Math.min(inputs, Math.floor(bytes / BYTES_IN[form](largestInputBytes))));
}

/** Inputs of this size for which a job's manifest has one line. */
export function inputsOfLine(bundle: BundleBounds | null, inputBytes: number): number {
  return bundle === null || bundle.form === 'list' ? 1 : inputsOfBundle(bundle, inputBytes);
}

/** Bytes that inputs may take in a bundle for a request of this size. */
export function bundleRoom(form: BundleForm, requestBytes: number): number {
  return Math.floor(requestBytes / LENGTHENING[form]);
}

/** Cuts a list of inputs into bundles while it is written. */
export class BundleCutter {
  readonly #most: BundleBounds;
  readonly #cut: CutBundle[] = [];
  #open: CutBundle | undefined;
  #end = 0;

  constructor(most: BundleBounds) {
    this.#most = most;
  }

  /** Adds an input with a line of `lineBytes` bytes, newline included. */
  add({ name, size }: { readonly name: string; readonly size: number }, lineBytes: number): void {
    const bytes = BYTES_IN[this.#most.form](size);
    const open = this.#open;
    const start = this.#end;
    this.#end += lineBytes;
    if (open !== undefined && open.inputs < this.#most.inputs && open.bytes + bytes <= this.#most.bytes) {
      this.#open = {
        ...open,
        end: this.#end,
        inputs: open.inputs + 1,
        bytes: open.bytes + bytes,
        last: name,
      };
      return;
    }
    if (open !== undefined) this.#cut.push(open);
    const bundle = this.#cut.length;
    this.#open = { bundle, start, end: this.#end, inputs: 1, bytes, first: name, last: name };
  }

  /** The bundles, in order; call it once, after the last input. */
  finish(): readonly CutBundle[] {
    if (this.#open !== undefined) this.#cut.push(this.#open);
    return this.#cut;
  }
}
