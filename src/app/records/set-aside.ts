import * as z from 'zod';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { jsonDocument } from './document.ts';

const Content = z.object({ etag: z.string(), size: z.int().nonnegative() });

/** `set-aside.json` of a training: contents of its evaluation that the gate must not judge by. */
const SetAside = z.object({
  schema: z.literal(1),
  /** Contents, each with the one key that counts all the same: null for what was trained on, the first key for copies of one file. */
  contents: z.array(Content.extend({ counts: z.string().nullable() })),
  /** Contents that the model compared with was trained on: they count in no comparison. */
  incumbents: z.array(Content).default([]),
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
  const counted = new Map(found.contents.map(({ counts, ...content }) => [nameOf(content), counts]));
  return (input) => {
    const only = counted.get(nameOf(input));
    return only === undefined || only === input.key;
  };
}

/** The inputs that count in the comparison with another model: of those that the gate counts, the ones that it was not trained on. */
export function comparedFor(found: SetAside | undefined, counts: Counts | undefined): Counts | undefined {
  if (found === undefined || found.incumbents.length === 0) return counts;
  const known = new Set(found.incumbents.map(nameOf));
  return (input) => !known.has(nameOf(input)) && counts?.(input) !== false;
}

function nameOf({ etag, size }: z.infer<typeof Content>): string {
  return `${etag} ${size}`;
}
