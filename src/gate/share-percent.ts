/** A share with enough digits that 69.96% is not shown as the 70% it misses. */
export function sharePercent(share: number): string {
  return `${Number((share * 100).toFixed(2))}%`;
}
