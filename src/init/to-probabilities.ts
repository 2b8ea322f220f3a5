/** Distance from 1 that rounding may leave. */
const ROUNDING = 1e-3;

/** Whether scores are probabilities: they add up to 1, or a single one lies between 0 and 1. */
export function isDistribution(scores: readonly number[]): boolean {
  const sum = scores.reduce((total, one) => total + one, 0);
  return (
    scores.every((one) => one >= 0 && one <= 1) && (scores.length === 1 || Math.abs(sum - 1) <= ROUNDING)
  );
}

/**
 * Scores of one network as probabilities of its classes: by softmax, or for a single score by the sigmoid, unless all are probabilities
 * already. A single score is the second class's.
 */
export function toProbabilities(
  groups: readonly (readonly (readonly number[])[])[],
): readonly (readonly (readonly number[])[])[] {
  const areProbabilities = groups
    .flat()
    .every((scores) => !scores.every(Number.isFinite) || isDistribution(scores));
  const probabilityOf = (scores: readonly number[]): readonly number[] => {
    const [one = NaN, ...others] = scores;
    if (others.length === 0) {
      const second = areProbabilities ? one : 1 / (1 + Math.exp(-one));
      return [1 - second, second];
    }
    if (areProbabilities) return scores;
    const greatest = Math.max(...scores);
    const powers = scores.map((score) => Math.exp(score - greatest));
    const sum = powers.reduce((total, power) => total + power, 0);
    return powers.map((power) => power / sum);
  };
  return groups.map((group) => group.map(probabilityOf));
}
