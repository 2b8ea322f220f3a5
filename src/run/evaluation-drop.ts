/** First character of the drops that stand for evaluation sets; no upload below `incoming/` can name such a drop. */
const MARK = '@';

/** The drop for runs that judge models by the files of `pipelines/<pipeline>/evaluation/<name>/`. */
export function evaluationDrop(name: string): string {
  return `${MARK}${name}`;
}

/** Name of the evaluation set that a drop stands for; undefined for a drop of uploads. */
export function evaluationOf(drop: string): string | undefined {
  return drop.startsWith(MARK) ? drop.slice(MARK.length) : undefined;
}
