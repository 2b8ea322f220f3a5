/** P values corrected for their number, in the same order (Holm 1979, Scandinavian Journal of Statistics 6:65). */
export function holm(pValues: readonly number[]): number[] {
  const ascending = [...pValues.entries()].sort(([, a], [, b]) => a - b);
  const corrected = Array.from(pValues, () => 1);
  let largest = 0;
  for (const [rank, [place, pValue]] of ascending.entries()) {
    largest = Math.max(largest, Math.min(1, (pValues.length - rank) * pValue));
    corrected[place] = largest;
  }
  return corrected;
}
