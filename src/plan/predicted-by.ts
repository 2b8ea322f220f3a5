import { RunParts } from '../run/run-id.ts';
import type { ScoringPlan } from './scoring-plan.ts';

/** The run whose jobs have made a run's predictions: itself, unless it scores those of another one again. */
export function predictedBy(run: RunParts, { predictions }: Pick<ScoringPlan, 'predictions'>): RunParts {
  return predictions === null ? run : RunParts.parse(predictions);
}
