import * as z from 'zod';

/** An item of `shards.json`: the input of one folding Lambda. */
export const Shard = z.object({
  run: z.string(),
  /** 0, 1, 2, … */
  shard: z.int().nonnegative(),
  /** Bytes of reconciled.jsonl, `end` exclusive. */
  start: z.int().nonnegative(),
  end: z.int().nonnegative(),
  inputs: z.int().nonnegative(),
});
export type Shard = z.infer<typeof Shard>;

/** Progress of a cutter, from which another can continue. */
export const CutterState = z.object({
  shards: z.array(Shard),
  start: z.int().nonnegative(),
  end: z.int().nonnegative(),
  inputs: z.int().nonnegative(),
  outputBytes: z.int().nonnegative(),
});
type CutterState = z.infer<typeof CutterState>;

/** A shard stops at any of these bounds: inputs, bytes of outputs, or bytes of lines. */
export interface ShardBounds {
  readonly inputs: number;
  readonly outputBytes: number;
  readonly lineBytes: number;
}

/** Bounds of a shard: one Lambda folds 5,000 images in seconds; outputs with many records are bounded by their bytes. */
export const SHARD_BOUNDS: ShardBounds = { inputs: 5_000, outputBytes: 256_000_000, lineBytes: 16_000_000 };

const BEGINNING: CutterState = { shards: [], start: 0, end: 0, inputs: 0, outputBytes: 0 };

/** Cuts reconciled.jsonl into shards while it is written. */
export class ShardCutter {
  readonly shards: Shard[];
  readonly #run: string;
  readonly #bounds: ShardBounds;
  #start: number;
  #end: number;
  #inputs: number;
  #outputBytes: number;

  constructor(run: string, bounds: ShardBounds = SHARD_BOUNDS, from: CutterState = BEGINNING) {
    this.#run = run;
    this.#bounds = bounds;
    this.shards = [...from.shards];
    this.#start = from.start;
    this.#end = from.end;
    this.#inputs = from.inputs;
    this.#outputBytes = from.outputBytes;
  }

  /** The state from which another cutter can continue after the last line. */
  get state(): CutterState {
    return {
      shards: [...this.shards],
      start: this.#start,
      end: this.#end,
      inputs: this.#inputs,
      outputBytes: this.#outputBytes,
    };
  }

  /** Adds a line of `lineBytes` bytes, newline included, with an output of `outputBytes` bytes. */
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
