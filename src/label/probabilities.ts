/** Probabilities from logits (softmax). The highest logit is subtracted first, so that no exponential overflows. */
export function softmax(logits: ArrayLike<number>): Float64Array {
  let highest = -Infinity;
  for (let index = 0; index < logits.length; index++) highest = Math.max(highest, logits[index] ?? 0);
  const powers = Float64Array.from(logits, (logit) => (logit === highest ? 1 : Math.exp(logit - highest)));
  let sum = 0;
  for (const power of powers) sum += power;
  return powers.map((power) => power / sum);
}

/** Probabilities of both classes from the logit of the second, each to full precision near zero. */
export function binaryScores(logit: number): Float64Array {
  return Float64Array.of(sigmoid(-logit), sigmoid(logit));
}

function sigmoid(logit: number): number {
  if (logit >= 0) return 1 / (1 + Math.exp(-logit));
  const power = Math.exp(logit);
  return power / (1 + power);
}
