import type { TrainingReport } from './training-report.ts';

const OUTCOMES = {
  promoted: 'Promoted: it is the model of the pipeline now.',
  refused: 'Not promoted.',
  kept: 'Not promoted again.',
  asked: 'A person decides whether it becomes the model of the pipeline.',
  never: 'It does not become the model of the pipeline.',
} as const;

/** Promotion of a trained model, and why or why not. */
export function promotionText({
  promotion,
  reason,
}: Pick<NonNullable<TrainingReport['promotion']>, 'promotion' | 'reason'>): string {
  return `${OUTCOMES[promotion]} ${reason}`;
}
