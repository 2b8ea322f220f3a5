import type { RoundQuestion } from '../judging/judge-round.ts';
import type { ScoringPlan } from './scoring-plan.ts';

/** Confidence where the gate has none, as one that judges a rescore may. */
const CONFIDENCE = 0.95;

/** Question that the rounds of a run answer; every accuracy passes where the gate has no bound on it. */
export function roundQuestion({ gate, rounds }: Pick<ScoringPlan, 'gate' | 'rounds'>): RoundQuestion {
  return {
    minAccuracy: gate?.minAccuracy ?? 0,
    confidence: gate?.confidence ?? CONFIDENCE,
    minInputs: gate?.minInputs ?? 1,
    of: rounds?.of ?? 0,
  };
}
