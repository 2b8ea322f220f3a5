import type { ScoreReading } from '../../src/label/resolve-prediction.ts';

/** Scores as the model answered them, the highest one's class. */
export function asAnswered(classOffset = 0): ScoreReading {
  return { classOffset, scores: 'as-answered', threshold: null };
}
