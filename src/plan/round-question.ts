import type { RoundQuestion } from '../gate/early-gate.ts';
import { earlyParts } from './early-parts.ts';
import type { ScoringPlan } from './scoring-plan.ts';

/** Default confidence, used when the gate doesn't set one (for example, in a rescore). */
const CONFIDENCE = 0.95;

/** Question that the rounds of a run answer. Without a run to compare with every loss passes. */
export function roundQuestion(
  plan: Pick<ScoringPlan, 'gate' | 'rounds' | 'labels'> & {
    readonly report: Pick<ScoringPlan['report'], 'baseline'>;
  },
): RoundQuestion {
  const { gate, rounds } = plan;
  const { baseline } = plan.report;
  return {
    parts: earlyParts(plan).parts,
    minAccuracy: gate?.minAccuracy,
    maxAccuracyDrop: (baseline?.run ?? null) === null ? undefined : gate?.maxAccuracyDrop,
    maxErrorRate: gate?.maxErrorRate,
    confidence: gate?.confidence ?? CONFIDENCE,
    minInputs: gate?.minInputs ?? 1,
    of: rounds?.of ?? 0,
  };
}
