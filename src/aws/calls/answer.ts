import { Condition } from '../../problem/conditions.ts';

/**
 * A field that AWS always sends, although its SDK types it as optional.
 *
 * @throws `IncompleteAnswer` if it is missing
 */
export function required<T>(value: T | null | undefined, field: string): T {
  if (value === undefined || value === null)
    throw new Condition('IncompleteAnswer', `the answer of AWS lacks ${field}`);
  return value;
}
