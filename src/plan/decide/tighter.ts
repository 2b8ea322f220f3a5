/** The smaller of two bounds; either may be absent. */
export function tighter(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.min(a, b);
}
