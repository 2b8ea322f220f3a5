/** A decoded image: rows from top to bottom, channels interleaved, 8 or 16 bits each. */
export interface Pixels<Samples extends Uint8Array | Uint16Array = Uint8Array> {
  readonly width: number;
  readonly height: number;
  /** 1 grey, 2 grey with alpha, 3 RGB, 4 RGB with alpha. */
  readonly channels: number;
  readonly data: Samples;
}

/** Larger images are refused before memory is asked for them. */
export const MAX_PIXELS = 2 ** 27;
