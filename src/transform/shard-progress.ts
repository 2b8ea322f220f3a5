import * as z from 'zod';
import { PREDICT_TIMEOUT_MS } from './predict-function.ts';

/** A function that dies after this time has most likely died of its time-out. */
const LATE_MS = 0.9 * PREDICT_TIMEOUT_MS;

const Place = z.int().nonnegative();
/** Neighboring inputs of a bundle by their places, the end exclusive. */
const Range = z.tuple([Place, Place]);
export type Range = z.infer<typeof Range>;

/** Answers for a range, which are stored. */
const Piece = z.object({
  range: Range,
  /** Inputs without an answer: place and status. */
  failed: z.array(z.tuple([Place, z.int()])),
});
export type Piece = z.infer<typeof Piece>;

/**
 * How far the function is with a bundle. It is written before each range is tried: if a function finds a range that is being tried, the one
 * before it has died on that range, which is then tried by halves until a single input is left.
 */
export const ShardProgress = z.object({
  schema: z.literal(1),
  /** In the order of their ranges. */
  pieces: z.array(Piece),
  /** Ranges that are still to be tried, in order. */
  pending: z.array(Range),
  trying: Range.nullable(),
  /** Inputs before this place are sent one by one: one of them was with the script that was lost, or they took too long together. */
  alone: Place,
  /** Whether a function that has just started opens the model, before it tries anything. */
  opening: z.boolean(),
  /** UTC, ISO 8601: when the trying, or the opening, began. */
  triedAt: z.iso.datetime(),
  /** Milliseconds of work of all functions so far, those included that died. */
  ms: z.number().nonnegative(),
  /** Memory in MB that is paid for. */
  memoryMB: z.number().nonnegative(),
  /** The most memory in MB that a process with the bundle had, if it came near the function's limit. */
  peakMB: z.number().nonnegative(),
});
export type ShardProgress = z.infer<typeof ShardProgress>;

/** The progress with a bundle before the first attempt. */
export function beginShard(inputs: number, memoryMB: number, now: Date): ShardProgress {
  return {
    schema: 1,
    pieces: [],
    pending: [[0, inputs]],
    trying: null,
    alone: 0,
    opening: false,
    triedAt: now.toISOString(),
    ms: 0,
    memoryMB,
    peakMB: 0,
  };
}

/** A single input that killed a function, and whether that was by its timeout. */
interface Killer {
  readonly place: number;
  readonly isLate: boolean;
}

/**
 * The progress after a function has died on a range: its halves are tried next, or, once, if it ran out of time, its inputs one by
 * one. A single input is left for good, and named.
 */
export function afterDeath(
  progress: ShardProgress,
  now: Date,
): { readonly progress: ShardProgress; readonly killer: Killer | undefined } {
  const { trying, pending } = progress;
  const triedMs = Math.max(0, now.getTime() - Date.parse(progress.triedAt));
  if (progress.opening) {
    const openMs = Math.min(triedMs, PREDICT_TIMEOUT_MS);
    return { progress: { ...progress, opening: false, ms: progress.ms + openMs }, killer: undefined };
  }
  if (trying === null) return { progress, killer: undefined };
  const [from, upTo] = trying;
  const isLate = triedMs >= LATE_MS;
  const ms = progress.ms + triedMs;
  if (upTo - from <= 1)
    return { progress: { ...progress, trying: null, ms }, killer: { place: from, isLate } };
  if (isLate && progress.alone < upTo)
    return {
      progress: { ...progress, trying: null, pending: [trying, ...pending], alone: upTo, ms },
      killer: undefined,
    };
  const middle = from + Math.ceil((upTo - from) / 2);
  const halves: Range[] = [
    [from, middle],
    [middle, upTo],
  ];
  return { progress: { ...progress, trying: null, pending: [...halves, ...pending], ms }, killer: undefined };
}

/** The progress with the next range begun; undefined if none is left. */
export function tryNext(
  progress: ShardProgress,
  now: Date,
): (ShardProgress & { readonly trying: Range }) | undefined {
  const [trying, ...pending] = progress.pending;
  return trying && { ...progress, trying, pending, triedAt: now.toISOString() };
}

/** The progress with answers for the beginning of the range that was tried; the rest of it is still to be tried. */
export function addPiece(progress: ShardProgress, piece: Piece, ms: number): ShardProgress {
  const [, upTo] = progress.trying ?? piece.range;
  const rest: Range[] = piece.range[1] < upTo ? [[piece.range[1], upTo]] : [];
  return {
    ...progress,
    trying: null,
    pieces: [...progress.pieces, ...(piece.range[0] < piece.range[1] ? [piece] : [])].sort(
      (a, b) => a.range[0] - b.range[0],
    ),
    pending: [...rest, ...progress.pending],
    ms: progress.ms + ms,
  };
}
