/** Indexes of the k highest scores, best first; of equal scores the lower index is better. */
export function topScores(scores: ArrayLike<number>, k: number): number[] {
  const count = Math.min(k, scores.length);
  const top: number[] = [];
  for (let index = 0; index < count; index++) insert(top, scores, index, index);
  let least = scores[top[count - 1] ?? 0] ?? 0;
  for (let index = count; index < scores.length; index++) {
    if ((scores[index] ?? 0) <= least) continue;
    insert(top, scores, index, count - 1);
    least = scores[top[count - 1] ?? 0] ?? 0;
  }
  return top;
}

/** Inserts an index by its score, at `last` or before; the last one is dropped. */
function insert(top: number[], scores: ArrayLike<number>, index: number, last: number): void {
  const score = scores[index] ?? 0;
  let place = last;
  while (place > 0 && (scores[top[place - 1] ?? 0] ?? 0) < score) {
    top[place] = top[place - 1] ?? 0;
    place--;
  }
  top[place] = index;
}
