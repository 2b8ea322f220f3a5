import type { FilePlace } from '../../input/file-place.ts';

/** Columns of a table that say which record a row is of. */
export const PLACE_COLUMNS = {
  key: ({ key }: Pick<FilePlace, 'key'>) => key,
  record_index: ({ recordIndex }: { readonly recordIndex: number | null }) => recordIndex,
  line: ({ line }: Pick<FilePlace, 'line'>) => line,
  id: ({ id }: Pick<FilePlace, 'id'>) => id,
};
