/** Maps a domain to a range linearly; a domain of one value maps to the middle. */
export function linearScale(
  [from, to]: readonly [number, number],
  [start, end]: readonly [number, number],
): (value: number) => number {
  return (value) => {
    const share = to === from ? 0.5 : (value - from) / (to - from);
    return start * (1 - share) + end * share;
  };
}

/** Six round shares from `from`, 0 or 0.5, to 1. */
export function shareTicks(from: 0 | 0.5 = 0): readonly number[] {
  return Array.from({ length: 6 }, (_, at) => (from * 10 + at * (1 - from) * 2) / 10);
}
