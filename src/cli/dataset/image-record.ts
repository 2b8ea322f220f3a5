/** One labelled image of a data set; pixels row by row, each with its channels side by side. */
export interface ImageRecord {
  readonly split: string;
  readonly label: number;
  readonly pixels: Uint8Array;
}

/** The common properties of a data set's images. */
export interface ImageSet {
  readonly side: number;
  readonly channels: 1 | 3;
  /** Names by label; letters, digits and dashes, so that a key pattern finds them in a file's name. */
  readonly classes: readonly string[];
  records(): AsyncIterable<ImageRecord>;
}

/** The file is not the official archive, or is damaged. */
export class BadDataset extends Error {
  override readonly name = 'BadDataset';
}
