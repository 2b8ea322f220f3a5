import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { parsedJson } from '../../text/parsed-json.ts';
import { independence, mergeDependence } from '../../transform/batch-dependence.ts';
import { BundleHead, OutputBundle } from '../../transform/output-bundle.ts';
import type { SentBundle } from './bundle-lists.ts';

/** A head is longer only where a bundle has hundreds of failures. */
const HEAD_BYTES = 4_096;
/** Cap on the answers that are kept in memory: neighbours read the same bundle. */
const KEPT_BYTES = 96 * 2 ** 20;
const NEWLINE = 10;

/**
 * Reads the first line of a bundle's answers.
 *
 * @throws {ZodError} if it is no head
 */
export async function readBundleHead(
  store: ObjectStore,
  { output, outputBytes = 0 }: Pick<SentBundle, 'output' | 'outputBytes'>,
): Promise<BundleHead | undefined> {
  for (let bytes = HEAD_BYTES; ; bytes *= 16) {
    const end = Math.min(bytes, outputBytes);
    if (end === 0) return undefined;
    const read = await store.readBytes(output, { start: 0, end });
    if (read === undefined) return undefined;
    const length = read.indexOf(NEWLINE);
    if (length < 0 && end < outputBytes) continue;
    const text = Buffer.from(read).toString('utf8', 0, length < 0 ? read.length : length);
    return BundleHead.parse(parsedJson(text));
  }
}

/** Bundles of answers, those read last kept in memory. */
export class BundleReader {
  readonly #store: ObjectStore;
  readonly #kept = new Map<string, Promise<OutputBundle | undefined>>();
  readonly #bytes = new Map<string, number>();
  #total = 0;
  /** Statements of the bundles that were read until now. */
  readonly dependence = independence();

  constructor(store: ObjectStore) {
    this.#store = store;
  }

  /** Opens the answers at a key; undefined if they are not there. */
  async open(key: string): Promise<OutputBundle | undefined> {
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

  async #read(key: string): Promise<OutputBundle | undefined> {
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
    const bundle = new OutputBundle(bytes);
    mergeDependence(this.dependence, bundle.dependence);
    return bundle;
  }
}
