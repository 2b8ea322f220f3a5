import * as z from 'zod';
import type { Input } from './input.ts';
import { fileOfRecord, recordName } from './record-name.ts';

/** A record by its file, as tables and people name it: `a.csv`, record 17, line 19. */
export const FilePlace = z.object({
  /** Key of the file; for a member of a tar its name. */
  key: z.string(),
  recordIndex: z.int().nonnegative().describe('Place of the record in its file, from 0.'),
  line: z
    .int()
    .positive()
    .optional()
    .describe('Line of the file on which a record of an opened table begins.'),
  id: z.string().optional().describe('Its cell of columns.id.'),
});
export type FilePlace = z.infer<typeof FilePlace>;

/**
 * Splits the name of an input: for a record of an opened table, into its file and its place there.
 *
 * @param answer place of the answer in the input's output, for files that hold many records and aren't opened
 */
export function placeOf({ name, record }: Pick<Input, 'name' | 'record'>, answer = 0): FilePlace {
  if (record === undefined) return { key: name, recordIndex: answer };
  const { index, line, id } = record;
  return { key: fileOfRecord(name), recordIndex: index, line, id };
}

/**
 * The same of a failure: an input that isn't a record of an opened table has no place if it failed as a whole.
 *
 * @param answer null if it did
 */
export function failedPlaceOf(
  input: Pick<Input, 'name' | 'record'>,
  answer: number | null,
): Omit<FilePlace, 'recordIndex'> & { readonly recordIndex: number | null } {
  const place = placeOf(input, answer ?? 0);
  return input.record === undefined && answer === null ? { ...place, recordIndex: null } : place;
}

/** The input that a record is or lies in, and the place of its answer in the input's output. */
export function answerOf({ key, recordIndex, line }: Omit<FilePlace, 'id'>): {
  readonly name: string;
  readonly answer: number;
} {
  return line === undefined
    ? { name: key, answer: recordIndex }
    : { name: recordName(key, recordIndex), answer: 0 };
}
