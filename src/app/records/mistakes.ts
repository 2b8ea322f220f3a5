import type { ObjectStore } from '../../aws/s3/object-store.ts';
import type { FilePlace } from '../../input/file-place.ts';
import type { Member } from '../../input/input.ts';
import type { ClassScore } from '../../judging/suspect-label.ts';
import { Condition } from '../../problem/conditions.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import type { RunParts } from '../../run/run-id.ts';
import { isMember } from './input-line.ts';

/** A record with a prediction that isn't its label. */
export interface Mistake extends FilePlace {
  /** Where its bytes lie; absent if the input is an object. */
  readonly member?: Member | undefined;
  readonly truth: string;
  readonly predicted: string;
  /** Score of the predicted class; null if the output has no score. */
  readonly score: number | null;
  /** Probability of the truth; null if the output has no probability of each class, or none of this one. */
  readonly truthScore: number | null;
  /** Up to five best probabilities, best first; empty if `truthScore` is null. */
  readonly best: readonly ClassScore[];
  /** False if the gate does not judge by the input: it was trained on, or is a copy of another. */
  readonly counts: boolean;
}

/** A line of `fold/<shard>.mistakes.jsonl`, with its end. A list takes half the room of an object. */
export function toMistakeLine(mistake: Mistake): string {
  const { key, recordIndex, truth, predicted, score, truthScore, best, counts, member, line, id } = mistake;
  const cells = [key, recordIndex, truth, predicted, score, truthScore, best, counts];
  const more = line === undefined ? [member] : [member, line, id];
  return `${JSON.stringify(more.some((cell) => cell !== undefined) ? [...cells, ...more] : cells)}\n`;
}

/**
 * The mistakes of a shard, in the order of their keys. Each is read when an iteration reaches it.
 *
 * @throws `TallyMissing` if the file is not there
 */
export async function readMistakes(
  store: ObjectStore,
  run: RunParts,
  shard: number,
): Promise<Iterable<Mistake>> {
  const file = bucketLayout.shardMistakes(run, shard);
  const bytes = await store.readBytes(file);
  if (bytes === undefined) throw new Condition('TallyMissing', `${file} is not there`);
  return { [Symbol.iterator]: () => linesOf(Buffer.from(bytes), file) };
}

function* linesOf(bytes: Buffer, file: string): Generator<Mistake> {
  for (let start = 0; start < bytes.length;) {
    const end = bytes.indexOf(NEWLINE, start);
    yield parseMistake(bytes.toString('utf8', start, end), file);
    start = end + 1;
  }
}

const NEWLINE = 0x0a;

/** Parses a line by hand: FoldPredictions has written millions of them, and a schema would take as long as reading them. */
function parseMistake(line: string, file: string): Mistake {
  const cells: unknown = JSON.parse(line);
  if (Array.isArray(cells)) {
    const [key, recordIndex, truth, predicted, score, truthScore, best, counts, ...more]: unknown[] = cells;
    // JSON writes null for missing values.
    const [member, line, id] = more.map((cell) => cell ?? undefined);
    if (
      typeof key === 'string' &&
      typeof recordIndex === 'number' &&
      typeof truth === 'string' &&
      typeof predicted === 'string' &&
      isNumberOrNull(score) &&
      isNumberOrNull(truthScore) &&
      Array.isArray(best) &&
      best.every(isClassScore) &&
      typeof counts === 'boolean' &&
      (member === undefined || isMember(member)) &&
      (line === undefined || typeof line === 'number') &&
      (id === undefined || typeof id === 'string')
    )
      return { key, recordIndex, line, id, member, truth, predicted, score, truthScore, best, counts };
  }
  throw new TypeError(`${file} must have a mistake in each line, has ${line}`);
}

function isNumberOrNull(value: unknown): value is number | null {
  return value === null || typeof value === 'number';
}

function isClassScore(value: unknown): value is ClassScore {
  return (
    Array.isArray(value) && value.length === 2 && value.every((part: unknown) => typeof part === 'number')
  );
}
