import { bucketLayout } from '../run/bucket-layout.ts';
import { formatGeneration, isRepetition, parseGeneration } from '../run/generation.ts';
import type { DropParts } from '../run/run-id.ts';

/** The markers of a generation below `state/<pipeline>/<drop>/<generation>/`. */
export interface GenerationMarks {
  readonly generation: string;
  /** LastModified of `freezing`, by S3's clock. */
  freezingAt?: Date;
  /** `frozen.json` exists: a manifest, or `abandoned`. */
  isClosed: boolean;
  hasEnded: boolean;
  /** LastModified of `ended.json`, by S3's clock. */
  endedAt?: Date;
}

/** An object below `state/`, as S3 lists it. */
export interface StateObject {
  readonly key: string;
  readonly lastModified: Date;
}

/** The state of a drop, from a listing of `state/<pipeline>/<drop>/`. */
export interface DropState {
  /** In ascending order, without reruns. */
  readonly generations: readonly GenerationMarks[];
  readonly reruns: readonly GenerationMarks[];
  readonly pulseAt?: Date;
  /** The latest LastModified of the listed objects, by S3's clock. */
  readonly changedAt: Date;
}

/** Reads the listing of a drop's state, or a later part of it, which need not begin with generation 1. */
export function readDropState(drop: DropParts, objects: readonly StateObject[]): DropState {
  const prefix = bucketLayout.stateOf(drop);
  const found = new Map<string, GenerationMarks>();
  let pulseAt: Date | undefined;
  let changedAt = new Date(0);
  for (const { key, lastModified } of objects) {
    const [generation = '', mark] = key.slice(prefix.length).split('/');
    if (lastModified > changedAt) changedAt = lastModified;
    if (key === bucketLayout.pulse(drop)) pulseAt = lastModified;
    if (mark === undefined || parseGeneration(generation) === undefined) continue;
    const marks = found.get(generation) ?? { generation, isClosed: false, hasEnded: false };
    found.set(generation, marks);
    if (mark === 'freezing') marks.freezingAt = lastModified;
    if (mark === 'frozen.json') marks.isClosed = true;
    if (mark === 'ended.json') {
      marks.hasEnded = true;
      marks.endedAt = lastModified;
    }
  }
  const all = [...found.values()].sort((a, b) => (a.generation < b.generation ? -1 : 1));
  return {
    generations: all.filter(({ generation }) => !isRepetition(generation)),
    reruns: all.filter(({ generation }) => isRepetition(generation)),
    ...(pulseAt && { pulseAt }),
    changedAt,
  };
}

/** Whether every generation has ended and no upload came after the newest listing, all before `time`. */
export function wasDoneBefore(state: DropState, time: Date): boolean {
  const isOver = [...state.generations, ...state.reruns].every((marks) => marks.isClosed && marks.hasEnded);
  return isOver && !hasNewPulse(state) && state.changedAt < time;
}

/** Whether uploads were seen after the newest listing began. */
export function hasNewPulse(state: DropState): boolean {
  const freezingAt = lastFreezingAt(state);
  return state.pulseAt !== undefined && (freezingAt === undefined || state.pulseAt > freezingAt);
}

/**
 * The first generation that may still take files in: neither being listed nor closed.
 *
 * Generations close in order, so it is the one after the last closed one.
 */
export function openGeneration(state: DropState): string {
  const last = lastShut(state);
  return formatGeneration((last === undefined ? 0 : Number(last.generation)) + 1);
}

/** The newest generation that no longer takes files in. */
export function lastShut(state: DropState): GenerationMarks | undefined {
  return state.generations.findLast((marks) => marks.freezingAt !== undefined || marks.isClosed);
}

/** When the newest listing began, by S3's clock. */
export function lastFreezingAt(state: DropState): Date | undefined {
  return state.generations.findLast((marks) => marks.freezingAt !== undefined)?.freezingAt;
}
