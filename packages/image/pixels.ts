/** A decoded image: rows from top to bottom, channels interleaved, 8 or 16 bits each. */
export interface Pixels<Samples extends Uint8Array | Uint16Array = Uint8Array> {
  readonly width: number;
  readonly height: number;
  /** 1 gray, 2 gray with alpha, 3 RGB, 4 RGB with alpha. */
  readonly channels: number;
  readonly data: Samples;
}

/** Cap on the pixels of an image, unless the caller has a smaller one: a larger image is refused before any memory is allocated. */
export const MAX_PIXELS = 2 ** 27;
