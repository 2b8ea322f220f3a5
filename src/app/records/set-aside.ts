import * as z from 'zod';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { jsonDocument } from './document.ts';

/** `set-aside.json` of a training: contents of its evaluation that the gate must not judge by. */
const SetAside = z.object({
  schema: z.literal(1),
  /** Contents, each with the one key that counts all the same: null for what was trained on, the first key for copies of one file. */
  contents: z.array(
    z.object({ etag: z.string(), size: z.int().nonnegative(), counts: z.string().nullable() }),
  ),
});
export type SetAside = z.infer<typeof SetAside>;

/** Written by EvaluateModel before a run judges, and read by each shard of that run. */
export const setAsideJson = jsonDocument({ key: bucketLayout.setAside, schema: SetAside, write: 'replace' });

/** Whether an input counts in the figures that the gate judges. */
export type Counts = (input: {
  readonly key: string;
  readonly etag: string;
  readonly size: number;
}) => boolean;

/** Undefined where every input counts. */
export function countsFor(found: SetAside | undefined): Counts | undefined {
  if (found === undefined || found.contents.length === 0) return undefined;
  const counted = new Map(found.contents.map(({ etag, size, counts }) => [`${etag} ${size}`, counts]));
  return ({ key, etag, size }) => {
    const only = counted.get(`${etag} ${size}`);
    return only === undefined || only === key;
  };
}
