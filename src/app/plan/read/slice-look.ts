import type { ObjectStore } from '../../../aws/s3/object-store.ts';
import { inOrder } from '../../../concurrency/in-order.ts';
import type { Input, InputPlace } from '../../../input/input.ts';
import { shownName } from '../../../input/record-name.ts';
import type { LabelRow } from '../../../label/label-row.ts';
import type { SliceBound } from '../../../pipeline/slice-settings.ts';
import type { FoundInputs } from '../../../plan/found.ts';
import type { SampledText } from '../../../plan/judge/judge-requests.ts';
import type { ResolvedSlices } from '../../../plan/judge/resolve-slices.ts';
import { SliceFindings } from '../../../plan/judge/slice-findings.ts';
import { type SliceValues, sliceValues } from '../../../slice/slice-values.ts';
import { openInput } from '../../records/open-input.ts';
import { MAX_RE2_KEYS } from './check-truth.ts';

/** A longer input is not checked before the run. */
const MAX_BYTES = 8_000_000;
const AT_ONCE = 4;

/** Looks at the slices of a run's inputs while they are listed and joined with their labels. */
export class SliceLook {
  readonly #slices: ResolvedSlices;
  readonly #findings: SliceFindings;
  readonly #valuesOf: SliceValues;
  readonly #most: number;
  readonly #shown: (name: string) => string;
  #looked = 0;

  constructor(
    slices: ResolvedSlices,
    bounds: Readonly<Record<string, SliceBound>> | undefined,
    names: { readonly prefix: string; readonly isOpened: boolean },
  ) {
    this.#slices = slices;
    this.#findings = new SliceFindings(slices, bounds);
    this.#valuesOf = sliceValues(slices.dimensions, names.prefix, names.isOpened);
    this.#shown = shownName(names.isOpened);
    this.#most = slices.dimensions.some(({ from }) => from === 'key') ? MAX_RE2_KEYS : Infinity;
  }

  /** Takes the values that names have. */
  takeInputs(inputs: readonly Input[]): void {
    for (const { name: key } of inputs) {
      if (this.#looked === this.#most) {
        this.#findings.leaveRest();
        return;
      }
      this.#looked += 1;
      const values = this.#valuesOf({ key });
      for (const [at, { from }] of this.#slices.dimensions.entries())
        if (from === 'folder' || from === 'key') this.#add(at, values[at] ?? null, key);
    }
  }

  /** Takes the values of an input's row in the label file. */
  takeRow({ key, fields }: LabelRow): void {
    if (fields === undefined) return;
    const values = this.#valuesOf({ key, fields });
    for (const [at, { from }] of this.#slices.dimensions.entries())
      if (from === 'file') this.#add(at, values[at] ?? null, key);
  }

  /** Only an input without a value may be named. */
  #add(at: number, value: string | null, key: string): void {
    this.#findings.add(at, value, value === null ? this.#shown(key) : key);
  }

  finish(): FoundInputs['slices'] {
    return { problems: this.#findings.problems(), notes: this.#findings.notes() };
  }
}

/** The texts of some inputs; those that are gone, blank or very long are left out. */
export async function sampleTexts(store: ObjectStore, inputs: readonly InputPlace[]): Promise<SampledText[]> {
  const found: SampledText[] = [];
  for await (const [{ name: key }, text] of inOrder(inputs, AT_ONCE, (input) => readText(store, input)))
    if (text !== '') found.push({ key, text });
  return found;
}

async function readText(store: ObjectStore, input: InputPlace): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (await openInput(store, input)) ?? []) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > MAX_BYTES) return '';
  }
  return Buffer.concat(chunks).toString().trim();
}
