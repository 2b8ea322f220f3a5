import type { Member } from '../input/input.ts';
import type { Clusters } from './dimension.ts';
import { sliceValues } from './slice-values.ts';

/** A record, or an input with records all in one group. */
interface ClusteredRecord {
  /** Name of the input. */
  readonly key: string;
  readonly member?: Pick<Member, 'object'> | undefined;
  /** Cells of its row in the label file that `by` reads, in its order. */
  readonly fields?: readonly string[] | undefined;
}

/**
 * Prepares the groups. What it returns gives the group of a record as text; records without any value are one group
 * together, so that leaving it out gains nothing.
 *
 * @param prefix of the inputs, below which folders are counted
 */
export function clusterOf(clusters: Clusters, prefix: string): (record: ClusteredRecord) => string {
  const valuesOf = sliceValues(clusters.by, prefix);
  return (record) => clusterName(clusters, valuesOf(record), record);
}

/** The group of a record, from its values of `by`. */
export function clusterName(
  { by }: Clusters,
  values: readonly (string | null)[],
  { key, member }: Pick<ClusteredRecord, 'key' | 'member'>,
): string {
  return by.length === 0 ? (member?.object ?? key) : values.join('\n');
}
