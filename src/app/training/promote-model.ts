import * as z from 'zod';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { RunId, RunParts } from '../../run/run-id.ts';
import { type JudgedPromotion, judgePromotion, PromotionOutcome } from '../../training/judge-promotion.ts';
import { type Promotion, promotionJson } from '../records/promotion.ts';
import { registeredJson } from '../records/training.ts';
import { trainingPlanJson } from '../records/training-plan.ts';
import { useCase } from '../use-case.ts';
import { deploymentAfter, readJudgment } from './evidence.ts';
import { replaceModel } from './replace-model.ts';

interface PromoteModelServices {
  readonly store: ObjectStore;
  readonly clock: () => Date;
}

/**
 * State `PromoteModel`: makes the trained model the pipeline's if `after.promote` and the gate allow it, and only if it replaces
 * the archive that it was compared with; else records why not.
 */
export const promoteModel = useCase({
  /** Sent by state `PromoteModel` once the model has been judged, or need not be. */
  input: z.object({ run: RunParts }),
  /** The decision; promotion.json has the reason. */
  output: z.object({
    promotion: PromotionOutcome,
    /** Whether an endpoint is deployed once the report has been written. */
    deploy: z.enum(['never', 'when-gate-passes']),
    /** The run with the model to deploy. */
    candidateRun: RunId.nullable(),
  }),
})(async ({ run }, { store, clock }: PromoteModelServices) => {
  const [plan, { sha256, content }, before] = await Promise.all([
    trainingPlanJson(run).require(store),
    registeredJson(run).require(store),
    promotionJson(run).read(store),
  ]);
  const judgment = await readJudgment(store, run, plan);
  const { candidateRun } = judgment;
  const now = await store.describe(bucketLayout.pipelineModel(run.pipeline));
  const isSame = content !== null && content === plan.incumbent?.content && now?.etag === plan.incumbent.etag;
  const judged = judgePromotion({ asked: plan.after.promote, isSame, ...judgment });
  const decided =
    before ??
    (judged.promotion === 'promoted'
      ? await carryOut(store, run, { sha256, etag: plan.incumbent?.etag ?? null }, judged)
      : { ...judged, replacedEtag: null });
  const { promotion, reason, replacedEtag } = decided;
  const at = clock().toISOString();
  if (before === undefined) {
    const facts = { sha256, candidateRun, by: 'gate', at, replacedEtag };
    await promotionJson(run).write(store, { schema: 1, promotion, reason, ...facts });
  }
  const deploy =
    promotion === 'promoted' ? await deploymentAfter(store, run, judgment, plan.after.deploy) : 'never';
  return { promotion, deploy, candidateRun };
});

async function carryOut(
  store: ObjectStore,
  run: RunParts,
  wanted: { readonly sha256: string; readonly etag: string | null },
  judged: JudgedPromotion,
): Promise<Pick<Promotion, 'promotion' | 'reason' | 'replacedEtag'>> {
  const replaced = await replaceModel(store, run, wanted);
  switch (replaced.status) {
    case 'replaced':
      return { ...judged, replacedEtag: replaced.replacedEtag };
    case 'there-already':
      return { ...judged, replacedEtag: wanted.etag };
    case 'other': {
      const key = `s3://${store.bucket}/${bucketLayout.pipelineModel(run.pipeline)}`;
      return {
        promotion: 'refused',
        reason:
          `${key} is not the model any more that this one was compared with: rerun the training to compare with the one ` +
          `that is there. ${judged.reason}`,
        replacedEtag: null,
      };
    }
  }
}
