import type { ObjectStore } from '../../aws/s3/object-store.ts';
import type { IndexItem } from '../records/tars.ts';

/** S3 answers a write in about 30 ms; memory holds that many members of at most `MOST_HELD_BYTES`. */
export const WRITES_AT_ONCE = 32;

/** Cap on the members of a tar: writing that number takes about half of a Lambda's 15 minutes, and their list some 150 MB. */
export const MOST_MEMBERS = 250_000;

/** Time that a function leaves to finish its work when it stops reading: of a Lambda's 15 minutes, 12 are for reading. */
export const RESERVED_MS = 180_000;

/** Services that read tars and tables. */
export interface IndexTarsServices {
  readonly store: ObjectStore;
  /** Milliseconds that the function has left. */
  readonly leftMs: () => number;
  readonly settings?: {
    /** Default 1,000: records of a staged object. */
    readonly partRecords?: number;
    /** Default 100: staged objects in a piece of the list. */
    readonly pieceParts?: number;
  };
}

/** Key of the copy of an input, or of a member of a tar. */
export function unpackedKey({ settings, copies }: IndexItem, name: string): string {
  return `${copies}${name.slice(settings.prefix.length)}`;
}
