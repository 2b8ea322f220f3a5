import type { Input } from './input.ts';
import { fileOfRecord } from './record-name.ts';

/** Name of an input as people see it: a record of a table is `table.csv, record 17`, with its id if it has one. */
export function shownName({ name, record }: Pick<Input, 'name' | 'record'>): string {
  if (record === undefined) return name;
  const id = record.id === undefined ? '' : ` (${record.id})`;
  return `${fileOfRecord(name)}, record ${record.index}${id}`;
}
