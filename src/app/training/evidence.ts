import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { parsePipelineConfig } from '../../pipeline/parse-config.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { parseRunId, type RunParts } from '../../run/run-id.ts';
import { gateDoubt, type PromotionEvidence } from '../../training/judge-promotion.ts';
import type { TrainingPlan } from '../../training/training-plan.ts';
import { judgedByJson } from '../records/judged-run.ts';
import { reportFigures } from '../records/run-index.ts';
import { type Evaluation, evaluationJson } from '../records/training.ts';

/** How a trained model was judged, and by which run. */
export interface Judgment extends Omit<PromotionEvidence, 'asked' | 'isSame'> {
  /** Null if none has judged it. */
  readonly candidateRun: string | null;
  readonly incumbentTrainedOn: Evaluation['incumbentTrainedOn'];
  readonly nearDuplicates: Evaluation['nearDuplicates'];
  readonly sharedGroups: Evaluation['sharedGroups'];
  readonly equalRows: Evaluation['equalRows'];
}

const UNJUDGED: Judgment = {
  candidateRun: null,
  incumbentTrainedOn: null,
  nearDuplicates: null,
  sharedGroups: null,
  equalRows: null,
  gate: null,
  judgedByDrop: [],
  changed: { overwritten: 0, deleted: 0, of: 0 },
  isReconfigured: false,
  isTrainedOn: false,
};

/** Reads the result of the run that judged a training's model; `planned` is the training's plan. */
export async function readJudgment(
  store: ObjectStore,
  training: RunParts,
  planned: Pick<TrainingPlan, 'judging'> | undefined,
): Promise<Judgment> {
  const evaluation = await evaluationJson(training).read(store);
  const candidateRun = evaluation?.candidateRun?.run;
  const run = candidateRun === undefined ? undefined : parseRunId(candidateRun);
  if (evaluation === undefined || candidateRun === undefined || run === undefined) return UNJUDGED;
  const [figures, plan] = await Promise.all([reportFigures(run).read(store), judgedByJson(run).read(store)]);
  if (figures === undefined || plan === undefined) return UNJUDGED;
  const { gate, errorsByReason, total: of } = figures;
  const { superseded: overwritten = 0, deleted = 0 } = errorsByReason;
  const { judgedByDrop, judging } = plan;
  const before = planned?.judging ?? null;
  const isReconfigured = before !== null && judging !== null && judging !== before;
  const { count, compared } = evaluation.trainedOn;
  const alike = (evaluation.nearDuplicates?.count ?? 0) + (evaluation.sharedGroups?.count ?? 0);
  return {
    candidateRun,
    incumbentTrainedOn: evaluation.incumbentTrainedOn,
    nearDuplicates: evaluation.nearDuplicates,
    sharedGroups: evaluation.sharedGroups,
    equalRows: evaluation.equalRows,
    gate,
    judgedByDrop,
    changed: { overwritten, deleted, of },
    isReconfigured,
    isTrainedOn: compared > 0 && count + alike === compared,
  };
}

/** Whether the endpoint follows a promotion: if `planned` and today's pipeline.json ask for it, and the gate has passed. */
export async function deploymentAfter(
  store: ObjectStore,
  { pipeline }: RunParts,
  judgment: Judgment,
  planned: TrainingPlan['after']['deploy'],
): Promise<TrainingPlan['after']['deploy']> {
  if (planned === 'never' || judgment.gate?.verdict !== 'passed' || gateDoubt(judgment) !== undefined)
    return 'never';
  const parsed = parsePipelineConfig((await store.readText(bucketLayout.pipelineConfig(pipeline))) ?? '');
  return 'value' in parsed && parsed.value !== undefined ? parsed.value.endpoint.deploy : 'never';
}
