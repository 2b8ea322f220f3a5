import { RunParts } from '../run/run-id.ts';
import type { ScoringPlan } from './scoring-plan.ts';

/** The run that made a run's predictions: itself, unless it scores another run's again. */
export function predictedBy(run: RunParts, { predictions }: Pick<ScoringPlan, 'predictions'>): RunParts {
  return predictions === null ? run : RunParts.parse(predictions);
}
