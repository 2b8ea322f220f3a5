/** Indexes of the k highest scores, best first; of equal scores the lower index is better. */
export function topScores(scores: ArrayLike<number>, k: number): number[] {
  const top: number[] = [];
  let least = -Infinity;
  for (let index = 0; index < scores.length; index++) {
    const score = scores[index] ?? 0;
    if (score <= least && top.length === k) continue;
    let place = Math.min(top.length, k - 1);
    while (place > 0 && (scores[top[place - 1] ?? 0] ?? 0) < score) {
      top[place] = top[place - 1] ?? 0;
      place--;
    }
    top[place] = index;
    if (top.length === k) least = scores[top[k - 1] ?? 0] ?? 0;
  }
  return top;
}
