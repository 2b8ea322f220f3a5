import * as z from 'zod';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import type { Input } from '../../input/input.ts';
import type { ScoringPlan } from '../../plan/scoring-plan.ts';
import { bucketLayout, runOfKey } from '../../run/bucket-layout.ts';
import { jsonDocument } from './document.ts';

const Content = z.object({ etag: z.string(), size: z.int().nonnegative() });

/** `set-aside.json` of a training: contents of its evaluation that the gate must not judge by. */
const SetAside = z.object({
  schema: z.literal(1),
  /** Contents that were trained on, look like one that was, or are of a group that was. */
  contents: z.array(Content),
  /** Contents that the incumbent model was trained on: they count in no comparison. */
  incumbents: z.array(Content),
});
export type SetAside = z.infer<typeof SetAside>;

/** Written by EvaluateModel before a run judges, and read by each shard of that run. */
export const setAsideJson = jsonDocument({ key: bucketLayout.setAside, schema: SetAside, write: 'replace' });

/** The contents that are set aside for a run that judges a training's model; undefined for others. */
export async function readSetAside(
  store: ObjectStore,
  { setAside }: Pick<ScoringPlan, 'setAside'>,
): Promise<SetAside | undefined> {
  const training = setAside === null ? undefined : runOfKey(setAside);
  return training && (await setAsideJson(training).read(store));
}

/** Whether an input counts in the figures that the gate judges. */
export type Counts = (input: Pick<Input, 'content' | 'size' | 'member'>) => boolean;

/** Returns undefined if every input counts. */
export function countsFor(found: SetAside | undefined): Counts | undefined {
  return found === undefined ? undefined : noneOf(found.contents);
}

/** The inputs that count in the comparison with another model: those that the gate counts and that the other model was not trained on. */
export function comparedFor(found: SetAside | undefined): Counts | undefined {
  const counts = countsFor(found);
  const others = found && noneOf(found.incumbents);
  if (others === undefined) return counts;
  return (input) => others(input) && counts?.(input) !== false;
}

/** Leaves out inputs of these contents, and whatever lies in a file of one: a file that was trained on is copies from end to end. */
function noneOf(contents: SetAside['contents']): Counts | undefined {
  if (contents.length === 0) return undefined;
  const known = new Set(contents.map(({ etag, size }) => contentOf(etag, size)));
  const files = new Set(contents.map(({ etag }) => etag));
  return ({ content, size, member }) =>
    !known.has(contentOf(content, size)) && (member === undefined || !files.has(member.etag));
}

function contentOf(etag: string, size: number): string {
  return `${etag} ${size}`;
}
