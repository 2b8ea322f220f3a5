interface Quiet {
  /** Seconds without an upload after which a drop counts as complete. */
  readonly quietSeconds: number;
  /** A run starts after this time even if files still arrive; the rest goes to the next generation. */
  readonly maxWaitMinutes: number;
}

interface Uploading {
  readonly now: Date;
  /** When the execution began to wait. */
  readonly startedAt: Date;
  /** When an event was last seen. */
  readonly pulseAt: Date | undefined;
  /** `_READY` was uploaded for this generation. */
  readonly isReady: boolean;
  /** A client said that it uploads, and hasn't said that it's done. Nobody knows how long its next file takes. */
  readonly isHeld: boolean;
}

/** Wait while `_READY` is likely to come, as behind the last file of a small drop, and the shortest one after that. */
const FIRST_LOOK_SECONDS = 3;
const SHORTEST_LOOK_SECONDS = 10;
const MAX_LOOK_SECONDS = 900;
/** Looks while the waiting time doubles: enough to react in time, and few enough for an execution's 25,000 events. */
const LOOKS_PER_DOUBLING = { fewest: 30, most: 100 } as const;

/** Seconds to wait before looking again; undefined: freeze now. */
export function quietWait({ quietSeconds, maxWaitMinutes }: Quiet, uploading: Uploading): number | undefined {
  const { now, startedAt } = uploading;
  const waitedSeconds = secondsBetween(startedAt, now);
  const quietLeft = quietSecondsLeft(quietSeconds, uploading);
  const patienceLeft = maxWaitMinutes * 60 - waitedSeconds;
  if (quietLeft <= 0 || patienceLeft <= 0) return undefined;
  const soonest = waitedSeconds < SHORTEST_LOOK_SECONDS ? FIRST_LOOK_SECONDS : SHORTEST_LOOK_SECONDS;
  const longest = clamp(waitedSeconds / LOOKS_PER_DOUBLING.fewest, soonest, MAX_LOOK_SECONDS);
  const shortest = Math.max(1, waitedSeconds / LOOKS_PER_DOUBLING.most);
  return Math.ceil(Math.max(shortest, Math.min(quietLeft, patienceLeft, longest)));
}

/** Allowance for the difference between clocks; a pulse further ahead was left by a clock that has been put back since. */
const CLOCKS_DIFFER_SECONDS = 900;

/** Whether files are still arriving; freezing happens in spite of it after `maxWaitMinutes`. */
export function isUploading({ quietSeconds }: Quiet, uploading: Uploading): boolean {
  return quietSecondsLeft(quietSeconds, uploading) > 0;
}

function quietSecondsLeft(
  quietSeconds: number,
  { now, startedAt, pulseAt = startedAt, isReady, isHeld }: Uploading,
): number {
  if (isHeld) return Infinity;
  const quiet = secondsBetween(pulseAt, now);
  // The age of such a pulse is unknown; files after the listing belong to the next generation.
  return isReady || quiet < -CLOCKS_DIFFER_SECONDS ? 0 : quietSeconds - quiet;
}

/** Seconds to wait for the generation before: short at first, then up to ten minutes. */
export function predecessorWait(startedAt: Date, now: Date): number {
  return Math.ceil(clamp(secondsBetween(startedAt, now) / 20, 1, 600));
}

function secondsBetween(from: Date, to: Date): number {
  return (to.getTime() - from.getTime()) / 1000;
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}
