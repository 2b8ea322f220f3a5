import type { ObjectStore } from '../../aws/object-store.ts';
import { parsePipelineConfig } from '../../pipeline/parse-config.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { parseRunId, type RunParts } from '../../run/run-id.ts';
import { isChanged, type PromotionEvidence } from '../../training/judge-promotion.ts';
import { evaluationJson } from '../records/evaluation.ts';
import { judgedByDropJson } from '../records/plan.ts';
import { reportFigures } from '../records/report-figures.ts';

/** How a trained model was judged, and by which run. */
export interface Judgement extends Omit<PromotionEvidence, 'asked'> {
  /** Null where none has judged it. */
  readonly candidateRun: string | null;
}

const UNJUDGED: Judgement = {
  candidateRun: null,
  gate: null,
  judgedByDrop: [],
  changed: { overwritten: 0, deleted: 0, of: 0 },
};

/** Reads the result of the run that judged a training's model. */
export async function readJudgement(store: ObjectStore, training: RunParts): Promise<Judgement> {
  const candidateRun = (await evaluationJson(training).read(store))?.candidateRun?.run;
  const run = candidateRun === undefined ? undefined : parseRunId(candidateRun);
  if (candidateRun === undefined || run === undefined) return UNJUDGED;
  const [figures, plan] = await Promise.all([
    reportFigures(run).read(store),
    judgedByDropJson(run).read(store),
  ]);
  if (figures === undefined || plan === undefined) return UNJUDGED;
  const { gate, errorsByReason, total: of } = figures;
  const { superseded: overwritten = 0, deleted = 0 } = errorsByReason;
  return { candidateRun, gate, judgedByDrop: plan.judgedByDrop, changed: { overwritten, deleted, of } };
}

/** Whether the endpoint follows a promotion: if pipeline.json asks for it, and the gate has passed. */
export async function deploymentAfter(
  store: ObjectStore,
  { pipeline }: RunParts,
  { gate, judgedByDrop, changed }: Judgement,
): Promise<'never' | 'when-gate-passes'> {
  if (gate?.verdict !== 'passed' || judgedByDrop.length > 0 || isChanged(changed)) return 'never';
  const parsed = parsePipelineConfig((await store.readText(bucketLayout.pipelineConfig(pipeline))) ?? '');
  return 'value' in parsed && parsed.value !== undefined ? parsed.value.endpoint.deploy : 'never';
}
