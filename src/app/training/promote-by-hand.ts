import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { parsePipelineConfig } from '../../pipeline/parse-config.ts';
import { Condition } from '../../problem/conditions.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { type RunParts, toRunId } from '../../run/run-id.ts';
import { quoted } from '../../text/shell-quoted.ts';
import { promotionJson } from '../records/promotion.ts';
import { registeredJson } from '../records/training.ts';
import { trainingPlanJson } from '../records/training-plan.ts';
import { deploymentAfter, readJudgment } from './evidence.ts';
import { replaceModel } from './replace-model.ts';

/** Result of `inferdrop promote`. */
export interface PromotedByHand {
  readonly sha256: string;
  /** False if it already was the pipeline's model. */
  readonly isNew: boolean;
  readonly deploy: 'never' | 'when-gate-passes';
  readonly candidateRun: string | null;
}

/**
 * Makes the model of a training the pipeline's at a user's request. `force` also does so if the gate failed or the
 * training never reached its promotion, and also replaces an archive other than the one that the model was compared
 * with. A model that was promoted before replaces any archive without it: that is a rollback.
 *
 * @throws `ModelMissing` if the training has registered none
 * @throws `GateNotPassed`, `ModelChanged` without `force`
 * @throws `ModelElsewhere` if pipeline.json names an archive of another place
 */
export async function promoteByHand(
  { run, by, force }: { readonly run: RunParts; readonly by: string; readonly force: boolean },
  { store, clock }: { readonly store: ObjectStore; readonly clock: () => Date },
): Promise<PromotedByHand> {
  const name = toRunId(run);
  const registered = await registeredJson(run).read(store);
  if (registered === undefined)
    throw new Condition(
      'ModelMissing',
      `${name} has no model to promote: it is under way, has failed, or does not exist (inferdrop runs)`,
    );
  const { sha256 } = registered;
  const elsewhere = await artifactElsewhere(store, run);
  if (elsewhere !== undefined)
    throw new Condition(
      'ModelElsewhere',
      `model.artifact of pipeline.json is ${elsewhere}, which the pipeline would go on with: set it to null, then promote ${name}`,
    );
  const before = await promotionJson(run).read(store);
  const isRollback = before?.promotion === 'promoted';
  if (before === undefined && !force)
    throw new Condition(
      'GateNotPassed',
      `the model of ${name} must not be promoted yet: the training is under way, or ended before its model was judged ` +
        `(inferdrop report ${quoted(name)}). With --force it is all the same`,
    );
  const plan = await trainingPlanJson(run).require(store);
  const judgment = await readJudgment(store, run, plan);
  const { gate, candidateRun } = judgment;
  if (gate?.verdict === 'failed' && !force)
    throw new Condition(
      'GateNotPassed',
      `the model of ${name} must not be promoted. ${gate.explanation} With --force it is all the same`,
    );
  const key = bucketLayout.pipelineModel(run.pipeline);
  const etag =
    force || isRollback ? ((await store.describe(key))?.etag ?? null) : (plan.incumbent?.etag ?? null);
  const replaced = await replaceModel(store, run, { sha256, etag });
  if (replaced.status === 'other')
    throw new Condition(
      'ModelChanged',
      `s3://${store.bucket}/${key} is not the model any more that the one of ${name} was compared with: rerun the ` +
        'training, or replace it with --force',
    );
  const isNew = replaced.status === 'replaced';
  if (isNew) {
    const how = force ? ' with --force' : isRollback ? ', as a rollback: it was promoted before' : '';
    const reason = `${by} asked for it${how}. ${gate?.explanation ?? 'No run has judged the model.'}`;
    const facts = {
      sha256,
      candidateRun,
      by,
      at: clock().toISOString(),
      replacedEtag: replaced.replacedEtag,
    };
    await promotionJson(run).write(store, { schema: 1, promotion: 'promoted', reason, ...facts });
  }
  // A promotion by hand follows today's pipeline.json.
  const deploy = await deploymentAfter(store, run, judgment, 'when-gate-passes');
  return { sha256, isNew, deploy, candidateRun };
}

/** The archive that pipeline.json names instead of the one next to it; undefined if it names none. */
async function artifactElsewhere(store: ObjectStore, { pipeline }: RunParts): Promise<string | undefined> {
  const parsed = parsePipelineConfig((await store.readText(bucketLayout.pipelineConfig(pipeline))) ?? '');
  const config = 'value' in parsed ? parsed.value : parsed.repaired;
  return config?.model.artifact ?? undefined;
}
