import * as z from 'zod';
import type { ReviewedHow } from '../label/label-changes.ts';

/** One person's answer about a record, as it is kept next to the run. Whoever may write a drop cannot write it. */
export const Reading = z.object({
  /** Identity of the record, as `taskId` gives it. */
  id: z.string(),
  label: z.string(),
  by: z.string(),
  /** UTC, ISO 8601. */
  at: z.string(),
  /** `blind` if no task of the record showed the model's answer or the label. */
  how: z.enum(['blind', 'shown'] satisfies ReviewedHow[]),
});
export type Reading = z.infer<typeof Reading>;

/** The label of a record with a finished review; null if it stays without one. */
export interface Settled extends Pick<Reading, 'by' | 'at' | 'how'> {
  readonly label: string | null;
}

/**
 * Settles the label of a record by its readings; undefined if there are none, `second` if a second person is to read
 * it. A blind reader who would change it is not enough: nearly all labels are right, so that most changes by one person
 * would be that person's mistakes. It changes if a second one says the same.
 */
export function settle(readings: readonly Reading[], label: string | null): Settled | 'second' | undefined {
  const sorted = readings.toSorted((a, b) => (a.at < b.at ? -1 : 1));
  const last = sorted.at(-1);
  if (last === undefined) return undefined;
  const { at } = last;
  if (last.how === 'shown') return last;
  const people = new Map(sorted.map((reading) => [reading.by, reading.label]));
  const said = Map.groupBy(people, ([, answer]) => answer);
  const answer = [...said].find(([text, by]) => text === label || by.length > 1);
  if (answer === undefined && people.size === 1) return 'second';
  const [changed, by] = answer ?? [label, [...people]];
  return { label: changed, by: by.map(([name]) => name).join(', '), at, how: 'blind' };
}
