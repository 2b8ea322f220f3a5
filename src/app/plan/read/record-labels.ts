import type { ObjectStore } from '../../../aws/s3/object-store.ts';
import { inOrder } from '../../../concurrency/in-order.ts';
import type { Input } from '../../../input/input.ts';
import type { LabelTally } from '../../../label/label-tally.ts';
import { truthInRecord } from '../../../label/truth-in-record.ts';
import { readInputRecord, recordFormat } from '../../../prediction/input-record.ts';
import type { JsonPath } from '../../../prediction/json-path.ts';
import { readLines } from '../../../text/json-lines.ts';
import { openInput } from '../../records/open-input.ts';

/** Reading records takes PlanRun's one processor about a second for 20 MB, and a request for each input. */
const BOUNDS = {
  /** Bounds of a strict run, which may read for some minutes. */
  strict: { bytes: 4_000_000_000, inputs: 50_000 },
  /** Bounds of a run that only notes mistakes. */
  lenient: { bytes: 32_000_000, inputs: 500 },
};
const CONCURRENT_READS = 8;
/** A file that is one record is read whole. */
const MAX_RECORD_BYTES = 8_000_000;

/** Checks the label of every record of a run's inputs, within the bounds. */
export class RecordLabels {
  readonly #store: ObjectStore;
  readonly #tally: LabelTally;
  readonly #path: JsonPath;
  readonly #settings: { readonly contentType: string; readonly splitType: string };
  readonly #left: { bytes: number; inputs: number };

  constructor(
    store: ObjectStore,
    tally: LabelTally,
    about: {
      readonly path: JsonPath;
      readonly contentType: string;
      readonly splitType: string;
      readonly strict: boolean;
    },
  ) {
    this.#store = store;
    this.#tally = tally;
    this.#path = about.path;
    this.#settings = about;
    this.#left = { ...(about.strict ? BOUNDS.strict : BOUNDS.lenient) };
  }

  /** Takes the next inputs. */
  async look(entries: readonly Input[]): Promise<void> {
    const within = entries.flatMap((input) => {
      const bytes = this.#bytesOf(input);
      if (bytes < input.size) this.#tally.leaveRest();
      return bytes > 0 ? [{ input, bytes }] : [];
    });
    const streams = inOrder(within, CONCURRENT_READS, ({ input }) => openInput(this.#store, input));
    for await (const [{ input, bytes }, stream] of streams)
      if (stream !== undefined) await this.#read(input.name, stream, bytes < input.size ? bytes : Infinity);
  }

  /** Bytes of an input that are within the bounds: the first lines of a large file show how its labels are written. */
  #bytesOf({ size }: Input): number {
    const isLines = this.#settings.splitType === 'Line';
    const bytes = Math.min(size, this.#left.bytes);
    if (this.#left.inputs === 0 || (!isLines && (bytes < size || size > MAX_RECORD_BYTES))) return 0;
    this.#left.inputs -= 1;
    this.#left.bytes -= bytes;
    return bytes;
  }

  async #read(key: string, stream: AsyncIterable<Uint8Array>, bytes: number): Promise<void> {
    if (this.#settings.splitType !== 'Line') {
      const chunks = await Array.fromAsync(stream);
      this.#judge(key, Buffer.concat(chunks).toString());
      return;
    }
    let record = 0;
    let left = bytes;
    for await (const line of readLines(stream)) {
      left -= Buffer.byteLength(line);
      if (left < 0) return;
      if (line.trim() !== '') this.#judge(`${key}, record ${record++}`, line);
    }
  }

  #judge(where: string, text: string): void {
    const record = readInputRecord(text, recordFormat(this.#settings.contentType));
    const label = truthInRecord(record, this.#path);
    this.#tally.input(where, label !== undefined);
    if (label !== undefined) this.#tally.label(where, label);
  }
}
