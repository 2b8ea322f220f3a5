import { toJsonLine } from '../text/json-lines.ts';
import type { MergedKey } from './covered-merge.ts';
import type { ManifestEntry } from './manifest-entry.ts';
import { isTar } from './tar-key.ts';

/** Sums over a manifest. */
export interface ManifestTotals {
  readonly objects: number;
  readonly bytes: number;
  readonly largestObjectBytes: number;
  readonly emptyObjects: number;
  /** Objects that may have inputs as members. */
  readonly tars: number;
}

/** Totals of an empty manifest. */
export const NO_TOTALS: ManifestTotals = {
  objects: 0,
  bytes: 0,
  largestObjectBytes: 0,
  emptyObjects: 0,
  tars: 0,
};

/** Some thousand consecutive keys, as lines of text. */
export interface ManifestSlice {
  readonly manifest: string;
  readonly covered: string;
  /** The last key. */
  readonly through: string;
  readonly totals: ManifestTotals;
}

/**
 * Cuts a merge into slices of about `lines` lines or keys, so that memory, time and the loss in a crash are bounded. The versions
 * of one key stay together.
 */
export async function* cutSlices(
  merged: AsyncIterable<MergedKey>,
  lines: number,
): AsyncGenerator<ManifestSlice> {
  let manifest: string[] = [];
  let covered: string[] = [];
  let totals = NO_TOTALS;
  let through: string | undefined;
  let keys = 0;
  const cut = (last: string): ManifestSlice => {
    const slice = { manifest: manifest.join(''), covered: covered.join(''), through: last, totals };
    manifest = [];
    covered = [];
    totals = NO_TOTALS;
    through = undefined;
    keys = 0;
    return slice;
  };
  for await (const { key, fresh, covered: versions } of merged) {
    if (fresh !== undefined) {
      manifest.push(toJsonLine(fresh));
      totals = addTotals(totals, totalsOf(fresh));
    }
    for (const version of versions) covered.push(toJsonLine(version));
    through = key;
    // A forgotten key has no line, but took time.
    keys += 1;
    if (Math.max(keys, manifest.length + covered.length) >= lines) yield cut(key);
  }
  if (through !== undefined) yield cut(through);
}

/** Totals of two parts of a manifest together. */
export function addTotals(a: ManifestTotals, b: ManifestTotals): ManifestTotals {
  return {
    objects: a.objects + b.objects,
    bytes: a.bytes + b.bytes,
    largestObjectBytes: Math.max(a.largestObjectBytes, b.largestObjectBytes),
    emptyObjects: a.emptyObjects + b.emptyObjects,
    tars: a.tars + b.tars,
  };
}

function totalsOf({ key, size }: ManifestEntry): ManifestTotals {
  const [emptyObjects, tars] = [size === 0 ? 1 : 0, isTar(key) ? 1 : 0];
  return { objects: 1, bytes: size, largestObjectBytes: size, emptyObjects, tars };
}
