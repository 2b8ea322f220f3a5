/** An item of `shards.json`: what one Lambda folds. */
export interface Shard {
  readonly run: string;
  /** 0, 1, 2, … */
  readonly shard: number;
  /** Bytes of reconciled.jsonl, `end` exclusive. */
  readonly start: number;
  readonly end: number;
  readonly inputs: number;
}

/** A shard ends at so many inputs, or so many bytes of outputs or lines, whichever comes first. */
export interface ShardBounds {
  readonly inputs: number;
  readonly outputBytes: number;
  readonly lineBytes: number;
}

/** One Lambda folds 5,000 images in seconds; outputs with many records are bounded by their bytes. */
const SHARD_BOUNDS: ShardBounds = { inputs: 5_000, outputBytes: 256_000_000, lineBytes: 16_000_000 };

/** Cuts reconciled.jsonl into shards while it is written. */
export class ShardCutter {
  readonly shards: Shard[] = [];
  readonly #run: string;
  readonly #bounds: ShardBounds;
  #start = 0;
  #end = 0;
  #inputs = 0;
  #outputBytes = 0;

  constructor(run: string, bounds: ShardBounds = SHARD_BOUNDS) {
    this.#run = run;
    this.#bounds = bounds;
  }

  /** Adds a line of so many bytes, newline included, whose output has so many bytes. */
  add(lineBytes: number, outputBytes: number): void {
    const { inputs, outputBytes: mostOutput, lineBytes: mostLines } = this.#bounds;
    const full =
      this.#inputs >= inputs ||
      (this.#inputs > 0 && this.#outputBytes + outputBytes > mostOutput) ||
      (this.#inputs > 0 && this.#end - this.#start + lineBytes > mostLines);
    if (full) this.#cut();
    this.#end += lineBytes;
    this.#inputs += 1;
    this.#outputBytes += outputBytes;
  }

  /** The shards, in order; call it once, after the last line. */
  finish(): readonly Shard[] {
    if (this.#inputs > 0) this.#cut();
    return this.shards;
  }

  #cut(): void {
    this.shards.push({
      run: this.#run,
      shard: this.shards.length,
      start: this.#start,
      end: this.#end,
      inputs: this.#inputs,
    });
    [this.#start, this.#inputs, this.#outputBytes] = [this.#end, 0, 0];
  }
}
