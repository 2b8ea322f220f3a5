import * as z from 'zod';
import type { TrainingPlan } from './training-plan.ts';

/** How the model of a training was judged. */
export interface PromotionEvidence {
  readonly asked: TrainingPlan['after']['promote'];
  /** Whether its files are the serving model's, byte for byte. */
  readonly isSame: boolean;
  /** The training that made the model that serves, if it is known. */
  readonly incumbentTrainedOn: { readonly training: string } | null;
  /** Gate of the run that judged the model; null if none did. */
  readonly gate: { readonly verdict: 'passed' | 'failed' | 'none'; readonly explanation: string } | null;
  /** Fields of a job.json that decided which answers count as right, if a drop of uploads judged the model. */
  readonly judgedByDrop: readonly string[];
  /** Inputs of the evaluation that were no longer the frozen ones, so that they did not judge the model. */
  readonly changed: ChangedEvaluation;
  /** Whether the settings of pipeline.json by which the model was judged differ from those that the training was planned with. */
  readonly isReconfigured: boolean;
  /** Whether all inputs of the evaluation were trained on, look as if they were, or are of a group that was. */
  readonly isTrainedOn: boolean;
}

/** How many of the inputs of an evaluation were replaced or removed after they had been frozen. */
export interface ChangedEvaluation {
  readonly overwritten: number;
  readonly deleted: number;
  /** All inputs of the evaluation. */
  readonly of: number;
}

/** Whether the model was judged by fewer inputs than were frozen for it. */
export function isChanged({ overwritten, deleted }: ChangedEvaluation): boolean {
  return overwritten + deleted > 0;
}

/** `asked`: a person decides, with `inferdrop promote`; `kept`: it's the model that serves; `never`: as `after.promote` says. */
export const PromotionOutcome = z.enum(['asked', 'kept', 'promoted', 'refused', 'never']);

/** Decision on a trained model, and why. */
export interface JudgedPromotion {
  readonly promotion: z.infer<typeof PromotionOutcome>;
  readonly reason: string;
}

/** Decides whether a trained model replaces the pipeline's, is refused, or waits for `inferdrop promote`. */
export function judgePromotion({ asked, gate, isSame, ...evidence }: PromotionEvidence): JudgedPromotion {
  if (asked === 'never') return { promotion: 'never', reason: 'after.promote is "never".' };
  if (isSame && gate?.verdict !== 'failed') {
    const training = evidence.incumbentTrainedOn?.training;
    const from = training === undefined ? '' : ` (${training})`;
    const reason = `It has the same files, byte for byte, as the model that serves${from}, so nothing is replaced or deployed.`;
    return { promotion: 'kept', reason };
  }
  if (gate === null)
    return {
      promotion: 'asked',
      reason: 'No run has judged the model: training.after.evaluate names no files.',
    };
  if (gate.verdict === 'failed') return { promotion: 'refused', reason: gate.explanation };
  if (asked === 'ask') return { promotion: 'asked', reason: `after.promote is "ask". ${gate.explanation}` };
  if (gate.verdict === 'none') return { promotion: 'asked', reason: gate.explanation };
  const doubt = gateDoubt(evidence);
  if (doubt !== undefined)
    return {
      promotion: 'asked',
      reason: `${doubt}, so its gate decides nothing automatically. ${gate.explanation}`,
    };
  return { promotion: 'promoted', reason: gate.explanation };
}

/** Why the gate of an evaluation decides nothing on its own, without a full stop; undefined if it does decide. */
export function gateDoubt({
  judgedByDrop,
  changed,
  isReconfigured,
  isTrainedOn,
}: Pick<PromotionEvidence, 'judgedByDrop' | 'changed' | 'isReconfigured' | 'isTrainedOn'>):
  string | undefined {
  if (judgedByDrop.length > 0) return `job.json of the evaluation sets ${judgedByDrop.join(', ')}`;
  if (isTrainedOn)
    return 'The model was trained on every input of the evaluation, or on one that looks like it or is of its group';
  if (isChanged(changed)) return changedText(changed);
  if (isReconfigured)
    return 'Model, transform, labels or gate of pipeline.json were changed between the plan of the training and its evaluation';
  return undefined;
}

/** Text on how many of the evaluation's inputs have changed, without a full stop. */
export function changedText({ overwritten, deleted, of }: ChangedEvaluation): string {
  return `Of the ${of} inputs of the evaluation ${overwritten} were overwritten and ${deleted} deleted after they had been frozen`;
}
