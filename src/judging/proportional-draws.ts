/** Draws of a stratum, or all that it has. */
const LEAST_DRAWS = 2;

/** Draws of each stratum in proportion to its size (largest remainders), and at least two, or all of it. */
export function proportionalDraws(totals: readonly number[], draws: number): number[] {
  const all = totals.reduce((sum, total) => sum + total, 0);
  const exact = totals.map((total) =>
    Math.min(total, Math.max(Math.min(LEAST_DRAWS, total), (draws * total) / all)),
  );
  const whole = exact.map(Math.floor);
  let missing = draws - whole.reduce((sum, each) => sum + each, 0);
  const byRemainder = [...exact.entries()].sort(([a, x], [b, y]) => (y % 1) - (x % 1) || a - b);
  for (const [place, share] of byRemainder) {
    if (missing <= 0 || share % 1 === 0) break;
    whole[place] = (whole[place] ?? 0) + 1;
    missing--;
  }
  return whole;
}
