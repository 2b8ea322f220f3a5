import type { TrainingPlan } from './training-plan.ts';

/** How the model of a training was judged. */
export interface PromotionEvidence {
  readonly asked: TrainingPlan['after']['promote'];
  /** Of the run that judged the model; null where none did. */
  readonly gate: { readonly verdict: 'passed' | 'failed' | 'none'; readonly explanation: string } | null;
  /** Fields of the evaluation drop's job.json that decided what counts as right. */
  readonly judgedByDrop: readonly string[];
}

/** Decision on a trained model, and why. */
export interface JudgedPromotion {
  readonly promotion: 'asked' | 'promoted' | 'refused' | 'never';
  readonly reason: string;
}

/** Decides whether a trained model replaces the pipeline's, is refused, or waits for `inferdrop promote`. */
export function judgePromotion({ asked, gate, judgedByDrop }: PromotionEvidence): JudgedPromotion {
  if (asked === 'never') return { promotion: 'never', reason: 'after.promote is "never".' };
  if (gate === null)
    return {
      promotion: 'asked',
      reason: 'No run has judged the model: training.after.evaluate names no drop.',
    };
  if (gate.verdict === 'failed') return { promotion: 'refused', reason: gate.explanation };
  if (asked === 'ask') return { promotion: 'asked', reason: `after.promote is "ask". ${gate.explanation}` };
  if (gate.verdict === 'none') return { promotion: 'asked', reason: gate.explanation };
  if (judgedByDrop.length > 0) {
    const fields = judgedByDrop.join(', ');
    return {
      promotion: 'asked',
      reason: `job.json of the evaluation drop sets ${fields}, so its gate decides nothing by itself. ${gate.explanation}`,
    };
  }
  return { promotion: 'promoted', reason: gate.explanation };
}
