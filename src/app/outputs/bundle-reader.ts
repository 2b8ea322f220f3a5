import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { independence, mergeDependence } from '../../transform/batch-dependence.ts';
import { type BundleHead, OutputBundle } from '../../transform/output-bundle.ts';
import { ALL, OutputLines } from '../../transform/output-lines.ts';
import { readBundleHead } from './bundle-head.ts';
import type { SentBundle } from './bundle-lists.ts';

/** Cap on the answers that are kept in memory: neighbors read the same bundle. */
const KEPT_BYTES = 96 * 2 ** 20;
/** Answers of a bundle by place. */
type ReadBundle = Pick<OutputBundle, 'answer' | 'message' | 'dependence'>;

/** How the answers of a bundle lie in an object. */
export interface BundleLayout {
  /** Whether a head says what the model refused. */
  readonly tellsRefusals: boolean;
  parse(bytes: Uint8Array): ReadBundle;
  /** Reads what is said of the inputs of a bundle; undefined if none is answered. */
  head(bundle: SentBundle, store: ObjectStore): Promise<BundleHead | undefined>;
  /** Place of the answer for the input at an index. */
  placeOf(index: number, bundle: Pick<SentBundle, 'inputs'>): number;
}

/** A head, then a line for each input. */
export const HEADED: BundleLayout = {
  tellsRefusals: true,
  parse: (bytes) => new OutputBundle(bytes),
  head: (bundle, store) => readBundleHead(store, bundle),
  placeOf: (index) => index,
};

/** A line for each input: if there are more or fewer, none is answered. A single input has all of it. */
export const LINES: BundleLayout = {
  tellsRefusals: false,
  parse: (bytes) => new OutputLines(bytes),
  async head({ output, outputBytes, inputs }, store) {
    const bytes = outputBytes === undefined ? undefined : await store.readBytes(output);
    if (bytes === undefined) return undefined;
    const lines = new OutputLines(bytes);
    if (inputs > 1 && lines.count !== inputs) return undefined;
    return { inputs, failed: [], ms: null, memoryMB: null, ...lines.dependence };
  },
  placeOf: (index, { inputs }) => (inputs === 1 ? ALL : index),
};

/** Bundles of answers, those read last kept in memory. */
export class BundleReader {
  readonly #store: ObjectStore;
  readonly #layout: BundleLayout;
  readonly #kept = new Map<string, Promise<ReadBundle | undefined>>();
  readonly #bytes = new Map<string, number>();
  #total = 0;
  /** Statements of the bundles that were read until now. */
  readonly dependence = independence();

  constructor(store: ObjectStore, layout: BundleLayout) {
    this.#store = store;
    this.#layout = layout;
  }

  /** Opens the answers at a key; undefined if they are not there. */
  async open(key: string): Promise<ReadBundle | undefined> {
    const known = this.#kept.get(key);
    if (known !== undefined) {
      // A Map lists its keys in the order of insertion: the bundle that was used last is the last.
      this.#kept.delete(key);
      this.#kept.set(key, known);
      return known;
    }
    const reading = this.#read(key);
    this.#kept.set(key, reading);
    try {
      return await reading;
    } catch (error) {
      this.#kept.delete(key);
      throw error;
    }
  }

  async #read(key: string): Promise<ReadBundle | undefined> {
    const bytes = await this.#store.readBytes(key);
    if (bytes === undefined) return undefined;
    this.#bytes.set(key, bytes.length);
    this.#total += bytes.length;
    for (const oldest of this.#kept.keys()) {
      if (this.#total <= KEPT_BYTES || oldest === key) break;
      this.#total -= this.#bytes.get(oldest) ?? 0;
      this.#bytes.delete(oldest);
      this.#kept.delete(oldest);
    }
    const bundle = this.#layout.parse(bytes);
    mergeDependence(this.dependence, bundle.dependence);
    return bundle;
  }
}
