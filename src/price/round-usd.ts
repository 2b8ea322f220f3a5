/** US dollars to a hundredth of a cent, as quotes and costs are stored: sums of binary fractions have more digits than they mean. */
export function roundUsd(usd: number): number {
  return Math.round(usd * 10_000) / 10_000;
}
