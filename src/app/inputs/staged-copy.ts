import type { ObjectStore } from '../../aws/s3/object-store.ts';
import type { IndexItem } from '../records/tars.ts';

/** S3 answers a write in about 30 ms; memory holds that many members of at most `MOST_HELD_BYTES`. */
export const WRITES_AT_ONCE = 32;

/** Services that read tars and tables. */
export interface IndexTarsServices {
  readonly store: ObjectStore;
  readonly clock: () => Date;
}

/** Key of the copy of an input, or of a member of a tar. */
export function unpackedKey({ settings, copies }: IndexItem, name: string): string {
  return `${copies}${name.slice(settings.prefix.length)}`;
}
